// SPDX-License-Identifier: Apache-2.0
// Tells queries when to ask again: by the server's events, else every 5 seconds.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { API_ROOT } from './client';

/** polling: no stream, so queries ask every 5 s. */
export type Live = 'live' | 'polling' | 'paused';

const LEAST_MS = 1_000;
const POLL_MS = 5_000;
/** A stream that the server refused is not opened again by the browser. */
const REOPEN_MS = 10_000;

let current: Live = 'polling';
const listeners = new Set<() => void>();

function become(next: Live): void {
  if (next === current) return;
  current = next;
  listeners.forEach((listener) => listener());
}

export function toggleLive(): void {
  become(current === 'paused' ? 'polling' : 'paused');
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

/** How often a query asks by itself. */
export function usePolling(): number | false {
  return useLive() === 'polling' ? POLL_MS : false;
}

/**
 * Keeps one stream open while the page is visible: a browser has six connections to a server, and
 * hidden tabs must not take them. An event only makes what is shown stale; it carries no data.
 */
export function useEvents(enabled: boolean): void {
  const queries = useQueryClient();
  const paused = useLive() === 'paused';
  useEffect(() => {
    if (paused || !enabled) return undefined;
    let source: EventSource | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let reopening: ReturnType<typeof setTimeout> | undefined;
    const refresh = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        void queries.invalidateQueries({ queryKey: ['tasks'] });
      }, LEAST_MS);
    };
    const open = () => {
      source = new EventSource(`${API_ROOT}/events`);
      source.addEventListener('open', () => become('live'));
      source.addEventListener('error', () => {
        become('polling');
        if (source?.readyState === EventSource.CLOSED) reopening = setTimeout(follow, REOPEN_MS);
      });
      source.addEventListener('tasks', refresh);
    };
    const close = () => {
      clearTimeout(reopening);
      source?.close();
      source = null;
    };
    const follow = () => {
      close();
      if (document.hidden) return;
      open();
      refresh();
    };
    follow();
    document.addEventListener('visibilitychange', follow);
    return () => {
      document.removeEventListener('visibilitychange', follow);
      clearTimeout(timer);
      close();
    };
  }, [enabled, paused, queries]);
}
