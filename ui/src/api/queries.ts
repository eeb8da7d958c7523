// SPDX-License-Identifier: Apache-2.0
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { FilterParams } from '../parts/filters';
import { api, bodyOf } from './client';
import type { TaskDetails } from './client';
import { parseExact } from './json';
import { nextCursor, totalOf } from './link';
import type { Cursor } from './link';
import { pollEvery } from './live';

const PAGE_SIZE = 50;

/** Orders besides the default, the newest first. */
type Sort = 'created_at' | 'next_retry_at' | '-ended_at';

/** One page of tasks. */
export function taskList(filters: FilterParams, cursor: Cursor, sort?: Sort) {
  return queryOptions({
    queryKey: ['tasks', filters, cursor, sort ?? null],
    queryFn: async ({ signal }) => {
      const page = cursor.page === undefined ? {} : { page: Number(cursor.page) };
      const after = cursor.after === undefined ? {} : { after: cursor.after };
      const query = { ...listQuery(filters), ...(sort ? { sort } : {}), ...page, ...after, page_size: PAGE_SIZE };
      const result = await api.GET('/task', { params: { query }, signal });
      const { headers } = result.response;
      return {
        rows: bodyOf(result),
        ...totalOf(headers),
        next: nextCursor(headers.get('Link')),
        lookedAt: Number(headers.get('X-Looked-At') ?? 0),
        /** The server stopped looking here before the page was full. */
        reached: headers.get('X-Reached'),
      };
    },
    placeholderData: keepPreviousData,
  });
}

/** The texts of the URL as the types of the API. */
function listQuery({ attempt_min: attempt, parked, ...rest }: FilterParams) {
  return {
    ...rest,
    ...(attempt === undefined ? {} : { attempt_min: Number(attempt) }),
    ...(parked === undefined ? {} : { parked: parked === 'true' }),
  };
}

/** Events come often and counting is dear: the counts may be this old. */
const FACETS_MS = 10_000;

/** How many tasks of the list are in each state, and of which kinds and errors its newest ones are. */
export function taskFacets(filters: FilterParams) {
  return queryOptions({
    queryKey: ['facets', filters],
    queryFn: async ({ signal }) => bodyOf(await api.GET('/task/facets', { params: { query: listQuery(filters) }, signal })),
    placeholderData: keepPreviousData,
    staleTime: FACETS_MS,
    refetchInterval: () => pollEvery(FACETS_MS),
  });
}

/** Kinds that contain this text, for completion. */
export function kinds(q: string) {
  return queryOptions({
    queryKey: ['kinds', q],
    queryFn: async ({ signal }) => bodyOf(await api.GET('/kind', { params: { query: q === '' ? {} : { q } }, signal })),
    staleTime: 60_000,
  });
}

/** Tasks, batches, schedules and errors by the beginning of an id or a name. */
export function find(q: string) {
  return queryOptions({
    queryKey: ['find', q],
    queryFn: async ({ signal }) => bodyOf(await api.GET('/find', { params: { query: { q } }, signal })),
    staleTime: 10_000,
  });
}

export function task(id: string) {
  return queryOptions({
    queryKey: ['tasks', 'one', id],
    queryFn: async ({ signal }) => {
      const text = bodyOf(await api.GET('/task/{id}', { params: { path: { id } }, signal, parseAs: 'text' }));
      return parseExact(text) as TaskDetails;
    },
  });
}
