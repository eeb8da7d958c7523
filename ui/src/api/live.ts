// SPDX-License-Identifier: Apache-2.0
// How queries learn that they are out of date: by the server's events, by asking every 5 seconds,
// or not at all while the person has paused the page.
import type { QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';

/** polling: no stream. refused: no stream, because others have taken them all. Both ask every 5 s. */
export type Live = 'live' | 'polling' | 'refused' | 'paused';

const POLL_MS = 5_000;

let current: Live = 'polling';
const listeners = new Set<() => void>();

/** Nothing but the person ends a pause. */
export function become(next: Exclude<Live, 'paused'>): void {
  if (current !== 'paused') set(next);
}

function set(next: Live): void {
  if (next === current) return;
  current = next;
  listeners.forEach((listener) => listener());
}

export function toggleLive(): void {
  set(current === 'paused' ? 'polling' : 'paused');
}

export function isPaused(): boolean {
  return current === 'paused';
}

export function useLive(): Live {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}

/** How often a query asks by itself; every query that events do not tell about gets its interval here. */
export function pollEvery(ms: number): number | false {
  return isPaused() ? false : ms;
}

/** How often a query asks that events tell about. */
export function usePolling(): number | false {
  const live = useLive();
  return live === 'polling' || live === 'refused' ? POLL_MS : false;
}

/** Lets every query on the screen take its interval anew, since a pause has begun or ended. */
export function applyIntervals(queries: QueryClient): void {
  for (const query of queries.getQueryCache().getAll()) {
    for (const observer of query.observers) observer.setOptions(observer.options);
  }
}

/** Beginnings of the keys of queries whose answers change by themselves. */
const ALIVE: ReadonlySet<unknown> = new Set(['tasks', 'nodes', 'series', 'facets', 'retry-statistics', 'plan', 'dag', 'keys']);

/** Asks again for everything on the screen. */
export function askAgain(queries: QueryClient): Promise<void> {
  return queries.invalidateQueries({ predicate: ({ queryKey }) => ALIVE.has(queryKey[0]) });
}
