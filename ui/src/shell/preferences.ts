// SPDX-License-Identifier: Apache-2.0
// Choices of this browser besides the theme. Imported by the entry, so that the first paint has its rows.
import { useSyncExternalStore } from 'react';

export interface Preferences {
  /** Whether single keys are commands (WCAG 2.1.4). */
  readonly singleKeys: boolean;
  readonly density: 'compact' | 'comfortable';
}

const KEY = 'perdure.preferences';
const listeners = new Set<() => void>();

/** Reads what may have been written by anything. */
export function readPreferences(text: string | null): Preferences {
  let value: Partial<Record<string, unknown>> | null = null;
  try {
    value = JSON.parse(text ?? '{}') as Partial<Record<string, unknown>> | null;
  } catch {
    // Not ours: the defaults hold.
  }
  return {
    singleKeys: value?.singleKeys !== false,
    density: value?.density === 'comfortable' ? 'comfortable' : 'compact',
  };
}

/** Storage can be missing or forbidden; then a choice lasts as long as the page. */
function stored(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

let current = readPreferences(stored());

function apply(): void {
  if (typeof document !== 'undefined') document.documentElement.dataset.density = current.density;
}

export function preferences(): Preferences {
  return current;
}

export function prefer(changes: Partial<Preferences>): void {
  current = { ...current, ...changes };
  try {
    localStorage.setItem(KEY, JSON.stringify(current));
  } catch {
    // The choice still applies to this page.
  }
  apply();
  listeners.forEach((listener) => listener());
}

export function usePreferences(): Preferences {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    preferences,
  );
}

apply();
