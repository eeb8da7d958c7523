// SPDX-License-Identifier: Apache-2.0
// The editor of a schedule without its looks.
import type { Schedule, ScheduleChanges, Trigger } from '../../api/schedules';
import { formatJson } from '../../api/json';
import { errorsOf, FIRST_LADDER, fromPolicy, toPolicy } from '../../policy/ladder';
import type { LadderDraft } from '../../policy/ladder';

export const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Day = (typeof DAYS)[number];

export interface TriggerDraft {
  readonly mode: 'cron' | 'every' | 'at';
  readonly cron: string;
  readonly every: string;
  readonly at: string;
  readonly days: readonly Day[];
  readonly zone: string;
}

export interface Draft {
  readonly name: string;
  readonly trigger: TriggerDraft;
  readonly overlap: 'skip' | 'queue' | 'allow';
  readonly misfire: 'fire_once' | 'skip';
  /** The task, or an array of tasks, as JSON. */
  readonly work: string;
  readonly retryOn: boolean;
  /** Null for a policy that is not a ladder: it stays as it is. */
  readonly ladder: LadderDraft | null;
}

export function newDraft(zone: string): Draft {
  return {
    name: '', trigger: { mode: 'cron', cron: '0 8 * * 1-5', every: '10m', at: '08:00', days: [], zone },
    overlap: 'skip', misfire: 'fire_once', work: '{\n  "kind": ""\n}', retryOn: false, ladder: FIRST_LADDER,
  };
}

export function draftOf(schedule: Schedule): Draft {
  const retry = schedule.retry ?? null;
  return {
    name: schedule.name,
    trigger: triggerDraft(schedule.trigger),
    overlap: schedule.overlap,
    misfire: schedule.misfire,
    work: formatJson(schedule.task ?? schedule.batch),
    retryOn: retry !== null,
    ladder: retry === null ? FIRST_LADDER : fromPolicy(retry),
  };
}

function triggerDraft(trigger: Trigger): TriggerDraft {
  const empty = { cron: '', every: '', at: '', days: [], zone: 'zone' in trigger && trigger.zone ? trigger.zone : 'UTC' };
  if ('cron' in trigger) return { ...empty, mode: 'cron', cron: trigger.cron };
  if ('every' in trigger) return { ...empty, mode: 'every', every: trigger.every };
  return { ...empty, mode: 'at', at: trigger.at, days: DAYS.filter((day) => trigger.days?.some((one) => one.toLowerCase().startsWith(day))) };
}

export function triggerOf({ mode, cron, every, at, days, zone }: TriggerDraft): Trigger {
  const zoned = zone.trim() === '' ? {} : { zone: zone.trim() };
  if (mode === 'cron') return { cron: cron.trim(), ...zoned };
  if (mode === 'every') return { every: every.trim() };
  return { at: at.trim(), ...(days.length === 0 || days.length === DAYS.length ? {} : { days: [...days] }), ...zoned };
}

/** What is wrong before the server is asked; by the path that the server would name. */
export function draftErrors(draft: Draft): { path: string; message: string }[] {
  const steps = draft.retryOn && draft.ladder ? errorsOf(draft.ladder.steps) : [];
  return [
    ...(draft.name.trim() === '' ? [{ path: 'name', message: 'Enter a name.' }] : []),
    ...(readWork(draft.work) === null ? [{ path: 'task', message: 'This is not a JSON object or array.' }] : []),
    ...(steps.length > 0 ? [{ path: 'retry', message: 'Correct the steps first.' }] : []),
  ];
}

function readWork(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

/** An array, or an object with `tasks`, is a batch. */
function workFields(text: string): Pick<ScheduleChanges, 'task' | 'batch'> {
  const work = readWork(text) as NonNullable<ScheduleChanges['task']>;
  return Array.isArray(work) || 'tasks' in work ? { batch: work as never, task: null } : { task: work, batch: null };
}

function retryField(draft: Draft): Pick<ScheduleChanges, 'retry'> {
  if (!draft.retryOn) return { retry: null };
  return draft.ladder ? { retry: toPolicy(draft.ladder) as never } : {};
}

export function newSchedule(draft: Draft): ScheduleChanges {
  const { task, batch } = workFields(draft.work);
  return {
    name: draft.name.trim(), trigger: triggerOf(draft.trigger), overlap: draft.overlap, misfire: draft.misfire,
    ...(task ? { task } : { batch: batch ?? null }), ...(draft.retryOn ? retryField(draft) : {}),
  };
}

/**
 * Only what differs. The task stays out unless it was edited: the server shows it without the secrets
 * of its webhooks, and sending that back would erase them.
 */
export function changesOf(before: Draft, after: Draft, version: number): ScheduleChanges | null {
  const changes: ScheduleChanges = {
    ...(differ(triggerOf(before.trigger), triggerOf(after.trigger)) ? { trigger: triggerOf(after.trigger) } : {}),
    ...(before.overlap === after.overlap ? {} : { overlap: after.overlap }),
    ...(before.misfire === after.misfire ? {} : { misfire: after.misfire }),
    ...(before.work === after.work ? {} : workFields(after.work)),
    ...(differ(retryField(before), retryField(after)) ? retryField(after) : {}),
  };
  return Object.keys(changes).length === 0 ? null : { ...changes, version };
}

function differ(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) !== JSON.stringify(other);
}
