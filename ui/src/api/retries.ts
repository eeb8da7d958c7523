// SPDX-License-Identifier: Apache-2.0
// Waiting retries, the wave that they form, and what can be done to one.
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Span, WaveData, WaveWindow } from '../charts/wave';
import { api, bodyOf } from './client';
import { serverClock } from './clock';
import { nextCursor, totalOf } from './link';
import type { Cursor } from './link';
import { pollEvery } from './live';
import type { components } from './schema';

export type WaitingRetry = components['schemas']['WaitingRetry'];
export type RetryStatistics = components['schemas']['RetryStatistics'];

export const STRATEGIES = ['immediate', 'fixed', 'linear', 'exponential', 'schedule', 'ladder'] as const;
export type Strategy = (typeof STRATEGIES)[number];

const PAGE_SIZE = 50;

/** How long the server keeps its answer for each window; asking more often brings nothing. */
const WAVE_MS: Readonly<Record<WaveWindow, number>> = { minute: 2_000, hour: 15_000, day: 120_000, fortnight: 600_000 };

/** The statistics look at every task. */
const STATISTICS_MS = 30_000;

/** The retries to come, also split by kind unless one kind is chosen. */
export function retryWave(window: WaveWindow, kind?: string) {
  return queryOptions({
    queryKey: ['tasks', 'wave', window, kind ?? null],
    queryFn: async ({ signal }): Promise<WaveData> => {
      const split = kind === undefined ? { by: 'kind' } as const : { kind: `=${kind}` };
      return bodyOf(await api.GET('/retry/wave', { params: { query: { window, ...split } }, signal }));
    },
    refetchInterval: () => pollEvery(WAVE_MS[window]),
    placeholderData: keepPreviousData,
  });
}

export interface RetryFilter {
  readonly kind?: string;
  readonly strategy?: Strategy;
  readonly span?: Span;
}

/** One page of waiting retries, the next one first. */
export function retryList(filter: RetryFilter, cursor: Cursor) {
  return queryOptions({
    queryKey: ['tasks', 'retries', filter, cursor],
    queryFn: async ({ signal }) => {
      const { kind, strategy, span } = filter;
      const query = {
        ...(kind === undefined ? {} : { kind: `=${kind}` }),
        ...(strategy === undefined ? {} : { strategy }),
        ...(span === undefined ? {} : spanQuery(span, serverClock.now())),
        ...(cursor.after === undefined ? {} : { after: cursor.after }),
        page_size: PAGE_SIZE,
      };
      const result = await api.GET('/retry', { params: { query }, signal });
      const { headers } = result.response;
      return {
        rows: bodyOf(result),
        ...totalOf(headers),
        next: nextCursor(headers.get('Link')),
      };
    },
    placeholderData: keepPreviousData,
  });
}

/**
 * A span as parameters of the list, which is ordered by time: its cursor is the instant and the id
 * of a retry, so a cursor at the beginning of the span skips everything before it.
 */
export function spanQuery(span: Span, now: number): { within: string; after?: string } {
  const within = `${Math.max(1, Math.ceil((span.to - now) / 1_000))}s`;
  if (span.from <= now) return { within };
  return { within, after: `${new Date(span.from).toISOString()}_00000000-0000-0000-0000-000000000000` };
}

export const retryStatistics = queryOptions({
  queryKey: ['retry-statistics'],
  queryFn: async ({ signal }) => bodyOf(await api.GET('/retry/stats', { signal })),
  refetchInterval: () => pollEvery(STATISTICS_MS),
});

export async function retryNow(id: string): Promise<unknown> {
  return bodyOf(await api.POST('/task/{id}/retry', { params: { path: { id } }, body: {} }));
}

export async function cancelTask(id: string): Promise<unknown> {
  return bodyOf(await api.DELETE('/task/{id}', { params: { path: { id } } }));
}
