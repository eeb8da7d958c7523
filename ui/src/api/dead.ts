// SPDX-License-Identifier: Apache-2.0
// What was given up: tasks in groups of the same error, and deliveries.
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from './client';
import type { Attempt } from './client';
import { nextCursor } from './link';
import type { components } from './schema';

export type ErrorGroup = components['schemas']['ErrorGroup'];
export type Delivery = components['schemas']['Delivery'];
export type GroupBy = 'error' | 'kind';

/** Some filters of the task list, as the bulk action takes them too. */
export type GroupFilter = Readonly<Partial<Record<'error' | 'failure_kind' | 'kind' | 'ended_after', string>>>;

const NEWEST = 10;
const PAGE_SIZE = 50;

/** Groups of failed tasks, those that failed last first. `exact` is false if there may be more. */
export function errorGroups(since: string, by: GroupBy) {
  return queryOptions({
    queryKey: ['tasks', 'errors', since, by],
    queryFn: async ({ signal }) => {
      const result = await api.GET('/error', { params: { query: { state: 'Failure', since, by } }, signal });
      return { groups: bodyOf(result), exact: result.response.headers.get('X-Total-Exact') !== 'false' };
    },
    placeholderData: keepPreviousData,
  });
}

/** The newest ten failed tasks of a group. */
export function newestFailures({ kind, ...filter }: GroupFilter) {
  return queryOptions({
    queryKey: ['tasks', 'dead', kind ?? null, filter],
    queryFn: async ({ signal }) => {
      const whole = kind === undefined ? {} : { kind: `=${kind}` };
      const query = { status: 'Failure', ...filter, ...whole, sort: '-ended_at', page_size: NEWEST } as const;
      return bodyOf(await api.GET('/task', { params: { query }, signal }));
    },
    placeholderData: keepPreviousData,
  });
}

/** The stack trace of the last attempt of a task, or null if it has none. */
export function stackOf(id: string) {
  return queryOptions({
    queryKey: ['stack', id],
    queryFn: async ({ signal }) => {
      const attempts = bodyOf(await api.GET('/task/{id}/attempt', { params: { path: { id }, query: { page_size: 1 } }, signal }));
      const last: Attempt | undefined = attempts[0];
      if (!last?.has_stack) return null;
      const path = { id, epoch: last.epoch };
      return bodyOf(await api.GET('/task/{id}/attempt/{epoch}', { params: { path }, signal })).stack;
    },
    staleTime: 60_000,
  });
}

/** Deliveries that were given up, newest first. Events about tasks concern them too. */
export function deadDeliveries(after?: string) {
  return queryOptions({
    queryKey: ['tasks', 'deliveries', after ?? null],
    queryFn: async ({ signal }) => {
      const query = { state: 'dead', page_size: PAGE_SIZE, ...(after === undefined ? {} : { after }) } as const;
      const result = await api.GET('/delivery', { params: { query }, signal });
      return { rows: bodyOf(result), next: nextCursor(result.response.headers.get('Link')) };
    },
    placeholderData: keepPreviousData,
  });
}

export async function redeliver(id: string): Promise<unknown> {
  return bodyOf(await api.POST('/delivery/{id}/redeliver', { params: { path: { id } } }));
}
