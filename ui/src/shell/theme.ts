// SPDX-License-Identifier: Apache-2.0
// The theme of this browser. Imported first by the entry, so that the first paint has its colours.
import { useSyncExternalStore } from 'react';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const KEY = 'perdure.theme';
const listeners = new Set<() => void>();

/** Storage can be missing or forbidden; then the theme lasts as long as the page. */
function stored(): Theme {
  try {
    const value = localStorage.getItem(KEY);
    return value === 'light' || value === 'dark' ? value : 'system';
  } catch {
    return 'system';
  }
}

let current: Theme = stored();

function apply(): void {
  const root = document.documentElement;
  if (current === 'system') delete root.dataset.theme;
  else root.dataset.theme = current;
}

export function setTheme(theme: Theme): void {
  current = theme;
  try {
    if (theme === 'system') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme);
  } catch {
    // The theme still applies to this page.
  }
  apply();
  listeners.forEach((listener) => listener());
}

export function nextTheme(): void {
  setTheme(THEMES[(THEMES.indexOf(current) + 1) % THEMES.length] ?? 'system');
}

export function useTheme(): Theme {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}

apply();
