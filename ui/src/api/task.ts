// SPDX-License-Identifier: Apache-2.0
// What belongs to one task: its plan, its attempts and its deliveries.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from './client';
import { parseExact } from './json';
import type { components } from './schema';

export type TaskPlan = components['schemas']['TaskPlan'];
export type AttemptDetails = components['schemas']['AttemptDetails'];
export type Delivery = components['schemas']['Delivery'];

const PAGE_SIZE = 50;

/** `version` changes when the task does: the plan is computed from what is stored. */
export function taskPlan(id: string, version: string) {
  return queryOptions({
    queryKey: ['plan', id, version],
    queryFn: async ({ signal }) => bodyOf(await api.GET('/task/{id}/plan', { params: { path: { id } }, signal })),
    placeholderData: (before) => before,
  });
}

/** Attempts older than those that the task itself shows, newest first. */
export function olderAttempts(id: string, before: number) {
  return infiniteQueryOptions({
    queryKey: ['attempts', id, before],
    queryFn: async ({ pageParam, signal }) => {
      const query = { before: pageParam, page_size: PAGE_SIZE };
      return bodyOf(await api.GET('/task/{id}/attempt', { params: { path: { id }, query }, signal }));
    },
    initialPageParam: before,
    getNextPageParam: (page) => (page.length < PAGE_SIZE ? undefined : page.at(-1)?.epoch),
    enabled: false,
    // An attempt that has ended does not change.
    staleTime: Infinity,
  });
}

/** One attempt with its stack trace and result, with numbers as they are stored. */
export function attemptDetails(id: string, epoch: number) {
  return queryOptions({
    queryKey: ['attempt', id, epoch],
    queryFn: async ({ signal }) => {
      const text = bodyOf(await api.GET('/task/{id}/attempt/{epoch}', { params: { path: { id, epoch } }, signal, parseAs: 'text' }));
      return parseExact(text) as AttemptDetails;
    },
    staleTime: Infinity,
  });
}

/** The newest deliveries of a task. */
export function deliveriesOf(id: string) {
  return queryOptions({
    queryKey: ['tasks', 'deliveries', id],
    queryFn: async ({ signal }) =>
      bodyOf(await api.GET('/delivery', { params: { query: { task: id, page_size: PAGE_SIZE } }, signal })),
  });
}
