// SPDX-License-Identifier: Apache-2.0
// Nodes, configuration, API keys and the audit.
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from './client';
import { nextCursor } from './link';
import { pollEvery } from './live';
import type { components, paths } from './schema';

export type Node = components['schemas']['Node'];
export type Setting = paths['/config']['get']['responses']['200']['content']['application/json'][number];
export type ApiKey = components['schemas']['ApiKey'];
export type NewKey = paths['/key']['post']['requestBody']['content']['application/json'];
export type AuditEntry = components['schemas']['AuditEntry'];

const PAGE_SIZE = 50;
/** Nodes report every few seconds. Events only tell which have joined or left. */
const NODES_MS = 5_000;

export const nodeList = queryOptions({
  queryKey: ['nodes'],
  queryFn: async ({ signal }) => bodyOf(await api.GET('/node', { signal })),
  refetchInterval: () => pollEvery(NODES_MS),
});

/** The settings of a node do not change while it runs. */
export const settingList = queryOptions({
  queryKey: ['settings'],
  queryFn: async ({ signal }) => bodyOf(await api.GET('/config', { signal })),
  staleTime: 60_000,
});

export const keyList = queryOptions({
  queryKey: ['keys'],
  queryFn: async ({ signal }) => bodyOf(await api.GET('/key', { signal })),
});

export async function createKey(body: NewKey): Promise<ApiKey> {
  return bodyOf(await api.POST('/key', { body }));
}

export async function revokeKey(id: string): Promise<ApiKey> {
  return bodyOf(await api.DELETE('/key/{id}', { params: { path: { id } } }));
}

/** What operators did, newest first. What is done to tasks is told by events about tasks. */
export function auditList(subject?: string, after?: string) {
  return queryOptions({
    queryKey: ['tasks', 'audit', subject ?? null, after ?? null],
    queryFn: async ({ signal }) => {
      const query = {
        page_size: PAGE_SIZE, ...(subject === undefined ? {} : { subject }), ...(after === undefined ? {} : { after }),
      };
      const result = await api.GET('/audit', { params: { query }, signal });
      return { rows: bodyOf(result), next: nextCursor(result.response.headers.get('Link')) };
    },
    placeholderData: keepPreviousData,
  });
}
