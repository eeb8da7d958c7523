// SPDX-License-Identifier: Apache-2.0
// How the system is doing: problems and counts, and what happened over time.
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { SeriesWindow } from '../charts/series';
import { api, bodyOf } from './client';
import { pollEvery } from './live';
import type { components } from './schema';

export type Overview = components['schemas']['Overview'];
export type OverviewProblem = Overview['problems'][number];
export type KindRow = Overview['kinds'][number];

/** Live tasks are counted this often at most. */
export const OVERVIEW_MS = 5_000;

/** Nodes write what they did this often. */
const SERIES_MS = 15_000;

/** Below "tasks", so that a live hint refreshes it. The side bar, which is always there, polls it. */
export const overview = queryOptions({
  queryKey: ['tasks', 'overview'],
  queryFn: async ({ signal }) => bodyOf(await api.GET('/overview', { signal })),
});

export function series(window: SeriesWindow, kind?: string) {
  return queryOptions({
    queryKey: ['series', window, kind ?? null],
    queryFn: async ({ signal }) => {
      const query = { window, ...(kind === undefined ? {} : { kind: `=${kind}` }) };
      return bodyOf(await api.GET('/series', { params: { query }, signal }));
    },
    refetchInterval: () => pollEvery(SERIES_MS),
    placeholderData: keepPreviousData,
  });
}
