// SPDX-License-Identifier: Apache-2.0
// Groups that somebody has dismissed in this browser. They come back when they grow.
import { useSyncExternalStore } from 'react';

/** By group: when its last task had failed at that time, in milliseconds. */
export type Dismissed = Readonly<Record<string, number>>;

const KEY = 'perdure.dead.dismissed';
const KEPT = 200;

/**
 * A group has grown if a task has failed since. Its count does not tell: that falls when old tasks
 * leave the time that is looked at, or are revived.
 */
export function isDismissed(dismissed: Dismissed, id: string, lastAt: number): boolean {
  const until = Object.hasOwn(dismissed, id) ? dismissed[id] : undefined;
  return until !== undefined && lastAt <= until;
}

/** Keeps the 200 whose tasks failed last, so that storage does not fill up. */
export function withDismissed(dismissed: Dismissed, groups: readonly { readonly id: string; readonly lastAt: number }[]): Dismissed {
  const all = new Map([...Object.entries(dismissed), ...groups.map(({ id, lastAt }) => [id, lastAt] as const)]);
  return Object.fromEntries([...all].sort(([, a], [, b]) => b - a).slice(0, KEPT));
}

export function without(dismissed: Dismissed, ids: readonly string[]): Dismissed {
  return Object.fromEntries(Object.entries(dismissed).filter(([id]) => !ids.includes(id)));
}

/** Reads what may have been written by anything. */
export function readDismissed(text: string | null): Dismissed {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    if (typeof value !== 'object' || value === null) return {};
    return Object.fromEntries(Object.entries(value).filter(([, at]) => typeof at === 'number'));
  } catch {
    return {};
  }
}

/** Storage can be missing or forbidden; then it lasts as long as the page. */
function stored(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

let current: Dismissed | undefined;
const listeners = new Set<() => void>();

function read(): Dismissed {
  return (current ??= readDismissed(stored()));
}

function become(next: Dismissed): void {
  current = next;
  try {
    localStorage.setItem(KEY, JSON.stringify(next));
  } catch {
    // It still applies to this page.
  }
  listeners.forEach((listener) => listener());
}

export function dismiss(id: string, lastAt: number): void {
  become(withDismissed(read(), [{ id, lastAt }]));
}

export function restore(ids: readonly string[]): void {
  become(without(read(), ids));
}

/** Another tab of this browser may dismiss a group too. */
function subscribe(listener: () => void): () => void {
  const changed = (event: StorageEvent) => {
    if (event.key !== KEY) return;
    current = undefined;
    listener();
  };
  listeners.add(listener);
  window.addEventListener('storage', changed);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', changed);
  };
}

export function useDismissed(): Dismissed {
  return useSyncExternalStore(subscribe, read);
}
