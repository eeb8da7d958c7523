// SPDX-License-Identifier: Apache-2.0
// Schedules, their preview, and what can be done to one.
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { stopBatch } from './batches';
import { api, bodyOf } from './client';
import { nextCursor } from './link';
import type { components } from './schema';

/** What a list tells of the last firing, and how the last ones went: states, the newest last. */
interface Results {
  readonly last: (Firing & { readonly started_at?: string | null; readonly ended_at?: string | null; readonly error?: string | null }) | null;
  readonly spark?: readonly (string | null)[];
}
export type ScheduleRow = Omit<components['schemas']['ScheduleRow'], 'last'> & Results;
export type Schedule = components['schemas']['ScheduleDetails'] & Pick<ScheduleRow, 'retry_under_way'>;
export type Firing = components['schemas']['Firing'];
export type RetryUnderWay = components['schemas']['RetryUnderWay'];
export type Trigger = components['schemas']['Trigger'];
/** The generator makes every field required that has a default. */
type Body = components['schemas']['ScheduleChanges'];
export type ScheduleChanges = Partial<Body>;
type NewSchedule = components['schemas']['NewSchedule'];

const PAGE_SIZE = 100;

/** Schedules in the order of their names. The firings of a schedule submit tasks, so events about tasks concern them. */
export function scheduleList(after?: string) {
  return queryOptions({
    queryKey: ['tasks', 'schedules', after ?? null],
    queryFn: async ({ signal }) => {
      const query = { page_size: PAGE_SIZE, ...(after === undefined ? {} : { after }) };
      const result = await api.GET('/schedule', { params: { query }, signal });
      return { rows: bodyOf(result), next: nextCursor(result.response.headers.get('Link')) };
    },
    placeholderData: keepPreviousData,
  });
}

export function schedule(id: string) {
  return queryOptions({
    queryKey: ['tasks', 'schedule', id],
    queryFn: async ({ signal }) => bodyOf(await api.GET('/schedule/{id}', { params: { path: { id } }, signal })) as Schedule,
  });
}

/** When a trigger fires. A refusal says what is wrong with it. */
export function triggerPreview(trigger: Trigger) {
  return queryOptions({
    queryKey: ['preview', trigger],
    queryFn: async ({ signal }) => bodyOf(await api.POST('/schedule/preview', { body: { trigger, count: 10 }, signal })),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
}

export async function createSchedule(body: ScheduleChanges) {
  return bodyOf(await api.POST('/schedule', { body: body as NewSchedule }));
}

export async function changeSchedule(id: string, body: ScheduleChanges) {
  return bodyOf(await api.PATCH('/schedule/{id}', { params: { path: { id } }, body: body as Body }));
}

export async function deleteSchedule(id: string) {
  return bodyOf(await api.DELETE('/schedule/{id}', { params: { path: { id } } }));
}

export async function runSchedule(id: string) {
  return bodyOf(await api.POST('/schedule/{id}/trigger', { params: { path: { id } } }));
}

/** Cancels this retry and no other: of a task, or the next run of a whole batch. False if it is gone. */
export async function cancelRetry(id: string, { task, batch_id: batch }: RetryUnderWay): Promise<boolean> {
  if (task === null) {
    await stopBatch(batch);
    return true;
  }
  const { canceled } = bodyOf(await api.DELETE('/schedule/{id}/retry', { params: { path: { id }, query: { task } } }));
  return canceled > 0;
}
