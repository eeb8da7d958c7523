// SPDX-License-Identifier: Apache-2.0
// What can be done to one task, and to all tasks that match a filter.
import { api, bodyOf } from './client';
import type { components } from './schema';

export type BulkResult = components['schemas']['BulkResult'];
export type BulkAction = components['schemas']['BulkRequest']['action'];

/** The filters of `GET /task`; `kind` is always whole. */
export type BulkFilter = Readonly<Record<string, string | number | boolean | readonly string[]>>;

export interface BulkStep {
  readonly action: BulkAction;
  readonly filter: BulkFilter;
  /** Such as "10m"; only with retry. */
  readonly spread?: string | null;
  readonly dryRun?: boolean;
  /** `next` of the step before. */
  readonly after?: string | null;
}

/** One step: the server handles at most 10,000 tasks in one request. */
export async function bulkStep({ action, filter, spread, dryRun = false, after }: BulkStep, signal?: AbortSignal): Promise<BulkResult> {
  const body = {
    action,
    filter: filter as Record<string, never>,
    dry_run: dryRun,
    ...(spread ? { spread } : {}),
    ...(after ? { after } : {}),
  };
  return bodyOf(await api.POST('/task/bulk', { body, ...(signal ? { signal } : {}) }));
}

/** Makes a task due at `at`, or now; one that has ended runs again. */
export async function retryTask(id: string, at?: string): Promise<unknown> {
  return bodyOf(await api.POST('/task/{id}/retry', { params: { path: { id } }, body: at === undefined ? {} : { at } }));
}

export async function pauseTask(id: string): Promise<unknown> {
  return bodyOf(await api.PATCH('/task/pause/{id}', { params: { path: { id } } }));
}

export async function resumeTask(id: string): Promise<unknown> {
  return bodyOf(await api.PATCH('/task/resume/{id}', { params: { path: { id } } }));
}

export async function cancelTask(id: string): Promise<unknown> {
  return bodyOf(await api.DELETE('/task/{id}', { params: { path: { id } } }));
}

/** Marks a failed task as succeeded. */
export async function resolveTask(id: string, reason: string): Promise<unknown> {
  return bodyOf(await api.POST('/task/{id}/resolve', { params: { path: { id } }, body: { reason } }));
}

/** A bulk action on one task. */
export const ONE: Readonly<Record<BulkAction, (id: string) => Promise<unknown>>> = {
  retry: (id) => retryTask(id), pause: pauseTask, resume: resumeTask, cancel: cancelTask,
};
