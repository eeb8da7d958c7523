// SPDX-License-Identifier: Apache-2.0
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { FilterParams } from '../parts/filters';
import { api, bodyOf } from './client';
import type { TaskDetails } from './client';
import { parseExact } from './json';
import { nextCursor } from './link';
import type { Cursor } from './link';

const PAGE_SIZE = 50;

/** One page of tasks. `total` stops at 10,000. */
export function taskList(filters: FilterParams, cursor: Cursor) {
  return queryOptions({
    queryKey: ['tasks', filters, cursor],
    queryFn: async ({ signal }) => {
      const page = cursor.page === undefined ? {} : { page: Number(cursor.page) };
      const after = cursor.after === undefined ? {} : { after: cursor.after };
      const query = { ...filters, ...page, ...after, page_size: PAGE_SIZE };
      const result = await api.GET('/task', { params: { query }, signal });
      const { headers } = result.response;
      return {
        rows: bodyOf(result),
        total: Number(headers.get('X-Total-Count') ?? 0),
        next: nextCursor(headers.get('Link')),
      };
    },
    placeholderData: keepPreviousData,
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
