// SPDX-License-Identifier: Apache-2.0
// Questions about batches, and what can be done to one. The keys begin with 'tasks', because
// whatever changes a task changes its batch.
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from './client';
import { nextCursor } from './link';
import type { Cursor } from './link';
import type { components } from './schema';

export type BatchRow = components['schemas']['BatchRow'];
export type BatchDetails = components['schemas']['Batch'];
export type BatchRun = components['schemas']['BatchRun'];
export type StatusCounts = components['schemas']['StatusCounts'];
export type Rule = components['schemas']['Rule'];

const PAGE_SIZE = 50;

export interface BatchFilters {
  readonly state?: 'live' | 'ended';
  readonly name?: string;
}

/** One page of batches, newest first. `total` stops at 10,000. */
export function batchList(filters: BatchFilters, cursor: Cursor) {
  return queryOptions({
    queryKey: ['tasks', 'batches', filters, cursor],
    queryFn: async ({ signal }) => {
      const page = cursor.page === undefined ? {} : { page: Number(cursor.page) };
      const after = cursor.after === undefined ? {} : { after: cursor.after };
      const query = { ...filters, ...page, ...after, page_size: PAGE_SIZE };
      const result = await api.GET('/batches', { params: { query }, signal });
      const { headers } = result.response;
      return {
        rows: bodyOf(result).map((row) => ({ ...row, id: row.batch_id })),
        total: Number(headers.get('X-Total-Count') ?? 0),
        next: nextCursor(headers.get('Link')),
      };
    },
    placeholderData: keepPreviousData,
  });
}

export function batch(id: string) {
  return queryOptions({
    queryKey: ['tasks', 'batches', 'one', id],
    queryFn: async ({ signal }) => bodyOf(await api.GET('/batch/{id}', { params: { path: { id } }, signal })),
  });
}

export async function stopBatch(id: string) {
  return bodyOf(await api.DELETE('/batch/{id}', { params: { path: { id } } }));
}

/** `expectedRun` makes a repeated request start only one new run. */
export async function retryBatch(id: string, run: 'failed' | 'new', expectedRun: number) {
  const body = { run, expected_run: expectedRun };
  return bodyOf(await api.POST('/batch/{id}/retry', { params: { path: { id } }, body }));
}

export async function changeRules(id: string, kind: string, rules: Rule[]) {
  return bodyOf(await api.PATCH('/batch/{id}/rules', { params: { path: { id } }, body: { kind, rules } }));
}
