// SPDX-License-Identifier: Apache-2.0
// The stream of the server's events.
import { useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { API_ROOT } from './client';
import { ANYTHING, concerns, hintOf } from './hints';
import type { Hint } from './hints';
import { applyIntervals, askAgain, become, useLive } from './live';
import { seen } from './version';

const TOPICS = ['tasks', 'batches', 'schedules', 'nodes'] as const;
const LEAST_MS = 1_000;
/** A stream that the server refused is not opened again by the browser. */
const REOPEN_MS = 10_000;

/**
 * Keeps one stream open while the page is visible: a browser has six connections to a server, and
 * hidden tabs must not take them. An event only makes what is shown stale; it carries no data.
 */
export function useEvents(enabled: boolean): void {
  const queries = useQueryClient();
  const paused = useLive() === 'paused';
  useEffect(() => applyIntervals(queries), [paused, queries]);
  useEffect(() => (paused || !enabled ? undefined : follow(queries)), [enabled, paused, queries]);
}

/** Follows the events until the answered function is called. */
function follow(queries: QueryClient): () => void {
  let source: EventSource | null = null;
  let reopening: ReturnType<typeof setTimeout> | undefined;
  /** What was asked before the stream was open may have changed meanwhile. */
  let missed = false;
  /** The page was hidden, and what it shows is as old as that. */
  let returning = false;
  const hints = collector(queries);
  const open = () => {
    close();
    if (document.hidden) return;
    source = new EventSource(`${API_ROOT}/events`);
    source.addEventListener('open', () => become('live'));
    source.addEventListener('hello', (event: MessageEvent<string>) => {
      seen(event.data);
      if (missed) void askAgain(queries);
      else hints.add(ANYTHING);
      missed = true;
      returning = false;
    });
    source.addEventListener('error', () => {
      if (returning) void askAgain(queries);
      returning = false;
      if (source?.readyState !== EventSource.CLOSED) {
        become('polling');
        return;
      }
      reopening = setTimeout(open, REOPEN_MS);
      void allTaken().then((taken) => source?.readyState === EventSource.CLOSED && become(taken ? 'refused' : 'polling'));
    });
    for (const topic of TOPICS) {
      source.addEventListener(topic, ({ data }: MessageEvent<string>) => {
        const hint = hintOf(topic, data);
        if (hint) hints.add([hint]);
      });
    }
  };
  const close = () => {
    clearTimeout(reopening);
    source?.close();
    source = null;
  };
  const onVisibility = () => {
    returning = !document.hidden;
    open();
  };
  open();
  document.addEventListener('visibilitychange', onVisibility);
  return () => {
    document.removeEventListener('visibilitychange', onVisibility);
    hints.stop();
    close();
  };
}

/** Makes queries stale at most once a second. */
function collector(queries: QueryClient) {
  let waiting: Hint[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    const hints = waiting;
    [waiting, timer] = [[], undefined];
    void queries.invalidateQueries({
      predicate: ({ queryKey, state }) => hints.some((hint) => concerns(hint, queryKey, batchOf(state.data))),
    });
  };
  return {
    add: (hints: readonly Hint[]) => {
      waiting.push(...hints);
      timer ??= setTimeout(flush, LEAST_MS);
    },
    stop: () => clearTimeout(timer),
  };
}

function batchOf(data: unknown): string | undefined {
  const batch = typeof data === 'object' && data !== null ? (data as Record<string, unknown>).batch_id : undefined;
  return typeof batch === 'string' ? batch : undefined;
}

/** The browser does not tell why a stream was refused, so this asks the server once more. */
async function allTaken(): Promise<boolean> {
  try {
    const answer = await fetch(`${API_ROOT}/events`);
    const refused = answer.status === 503 && /event streams/.test(await answer.clone().text());
    void answer.body?.cancel();
    return refused;
  } catch {
    return false;
  }
}
