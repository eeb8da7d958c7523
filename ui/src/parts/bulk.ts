// SPDX-License-Identifier: Apache-2.0
// Actions on many tasks: what they would do, in words, and running them step by step.
import type { BulkAction, BulkFilter, BulkResult } from '../api/actions';
import type { TaskRow } from '../api/client';
import { ApiError } from '../api/problem';
import type { WaveWindow } from '../charts/wave';
import type { FilterParams } from './filters';
import { isState, stateWord } from './states';
import { count } from './when';

/** All tasks that match a filter, or these. */
export type BulkTarget = { readonly filter: BulkFilter } | { readonly tasks: readonly TaskRow[] };

export interface Preview {
  readonly matched: number;
  readonly changed: number;
  readonly skipped: number;
  readonly byStatus: Readonly<Record<string, number>>;
  readonly example: TaskRow | null;
  readonly wave: BulkResult['wave'] | null;
  /** There are more tasks than were counted. */
  readonly more: boolean;
}

/** From this many tasks on, retries are spread unless somebody chooses otherwise. */
export const SPREAD_FROM = 100;

export const SPREADS = [
  { value: '1m', word: '1 min', minutes: 1 },
  { value: '5m', word: '5 min', minutes: 5 },
  { value: '10m', word: '10 min', minutes: 10 },
  { value: '30m', word: '30 min', minutes: 30 },
  { value: '1h', word: '1 h', minutes: 60 },
  { value: '6h', word: '6 h', minutes: 360 },
  { value: '1d', word: '1 day', minutes: 1_440 },
] as const;

export type Spread = (typeof SPREADS)[number]['value'];

// ---- words

const VERBS: Readonly<Record<BulkAction, string>> = { retry: 'Retry', pause: 'Pause', resume: 'Resume', cancel: 'Cancel' };
const DONE: Readonly<Record<BulkAction, string>> = { retry: 'retried', pause: 'paused', resume: 'resumed', cancel: 'canceled' };

/** "Retry 1,404 tasks": the title and the button. */
export function bulkTitle(action: BulkAction, tasks: number | null, more = false): string {
  if (tasks === null) return `${VERBS[action]} tasks`;
  return `${VERBS[action]} ${count(tasks)}${more ? '+' : ''} ${tasks === 1 && !more ? 'task' : 'tasks'}`;
}

/** What would happen, a line for each group of tasks. The numbers add up to the matches. */
export function previewLines(action: BulkAction, preview: Preview): string[] {
  const { changed, skipped, more } = preview;
  return [
    ...changedLines(action, preview),
    `${count(skipped)} ${skipped === 1 ? 'is' : 'are'} left alone.`,
    ...(more ? [`There are more than the ${count(changed + skipped)} that were counted. All that match are included.`] : []),
  ];
}

function changedLines(action: BulkAction, { changed, byStatus }: Preview): string[] {
  const one = changed === 1;
  if (action === 'pause') return [`${count(changed)} ${one ? 'does' : 'do'} not start until resumed. Attempts that run now end as usual.`];
  if (action === 'resume') return [`${count(changed)} ${one ? 'is' : 'are'} resumed.`];
  if (action === 'cancel') {
    return [`${count(changed)} ${one ? 'is' : 'are'} canceled and not tried again. Tasks that depend on their success do not run.`];
  }
  const known = RETRIED.map(({ status, words }) => ({ number: byStatus[status] ?? 0, words })).filter(({ number }) => number > 0);
  const sum = known.reduce((total, { number }) => total + number, 0);
  // Not every failed task can run again, and the dry run does not say which state those are in.
  if (sum === changed && changed > 0) return known.map(({ number, words }) => `${count(number)} ${words(number === 1)}`);
  return [`${count(changed)} ${one ? 'becomes' : 'become'} due, or ${one ? 'runs' : 'run'} again.${statusWords(byStatus)}`];
}

const RETRIED: readonly { readonly status: string; readonly words: (one: boolean) => string }[] = [
  { status: 'RetryPending', words: (one) => (one ? 'waits for a retry and becomes due.' : 'wait for a retry and become due.') },
  { status: 'Failure', words: (one) => (one ? 'has failed and runs again, with its retries counted from zero.' : 'have failed and run again, with their retries counted from zero.') },
  { status: 'Canceled', words: (one) => (one ? 'was canceled and runs again, with its retries counted from zero.' : 'were canceled and run again, with their retries counted from zero.') },
];

function statusWords(byStatus: Preview['byStatus']): string {
  const parts = Object.entries(byStatus).filter(([, number]) => number > 0)
    .map(([status, number]) => `${count(number)} ${isState(status) ? stateWord(status) : status}`);
  return parts.length === 0 ? '' : ` Among those that match: ${parts.join(', ')}.`;
}

/** "about 140 a minute" */
export function rateWords(tasks: number, spread: Spread): string {
  const minutes = SPREADS.find(({ value }) => value === spread)?.minutes ?? 1;
  const rate = tasks / minutes;
  return rate >= 1 ? `about ${count(Math.round(rate))} a minute` : `about ${count(Math.max(1, Math.round(rate * 60)))} an hour`;
}

/** "1,380 tasks retried, 24 left alone." */
export function resultWords(action: BulkAction, { changed, skipped }: Progress): string {
  return `${count(changed)} ${changed === 1 ? 'task' : 'tasks'} ${DONE[action]}, ${count(skipped)} left alone.`;
}

/** The window of a wave that the dry run answers, which it does not name. */
export function windowOf(wave: { readonly step_ms: number; readonly counts: readonly number[] }): WaveWindow {
  const length = wave.step_ms * wave.counts.length;
  if (length <= 120_000) return 'minute';
  if (length <= 2 * 3_600_000) return 'hour';
  return length <= 2 * 86_400_000 ? 'day' : 'fortnight';
}

// ---- the filter

/**
 * The filters of the list as the filter of a bulk action, or why that cannot be: there a kind is always
 * whole, no filter at all is refused, and the other orders leave tasks out.
 */
export function bulkFilterOf(params: FilterParams, sort?: string): { readonly filter: BulkFilter } | { readonly reason: string } {
  const given = Object.entries(params).filter(([, value]) => value !== undefined);
  if (given.length === 0) return { reason: 'Add a filter to select all tasks that match it.' };
  if (sort !== undefined && sort !== 'created_at') return { reason: 'To select all that match, sort by newest or oldest.' };
  const { kind } = params;
  if (kind !== undefined && !kind.startsWith('=') && !kind.includes(',')) {
    return { reason: 'To select all that match, filter by the whole kind.' };
  }
  return { filter: Object.fromEntries(given) };
}

// ---- previews

/** What this would do to these tasks, by what each allows. */
export function previewOfTasks(action: BulkAction, tasks: readonly TaskRow[]): Preview {
  const applicable = tasks.filter((task) => allows(action, task));
  const byStatus: Record<string, number> = {};
  for (const { status } of applicable) byStatus[status] = (byStatus[status] ?? 0) + 1;
  const changed = applicable.length;
  return { matched: tasks.length, changed, skipped: tasks.length - changed, byStatus, example: applicable[0] ?? null, wave: null, more: false };
}

export function allows(action: BulkAction, { allowed }: Pick<TaskRow, 'allowed'>): boolean {
  return action === 'retry' ? allowed.includes('retry_now') || allowed.includes('revive') : allowed.includes(action);
}

/** How many dry runs are made to count: 50,000 tasks. */
const MOST_DRY_RUNS = 5;

/** Counts with dry runs. The wave is known only if one dry run saw every task. */
export async function previewOfFilter(dryRun: (after: string | null) => Promise<BulkResult>): Promise<Preview> {
  const first = await dryRun(null);
  let { matched, changed, skipped, next } = first;
  const byStatus: Record<string, number> = { ...first.by_status };
  for (let i = 1; i < MOST_DRY_RUNS && next !== null; i++) {
    const step = await dryRun(next);
    matched += step.matched;
    changed += step.changed;
    skipped += step.skipped;
    for (const [status, number] of Object.entries(step.by_status ?? {})) byStatus[status] = (byStatus[status] ?? 0) + number;
    next = step.next;
  }
  return { matched, changed, skipped, byStatus, example: first.example ?? null, wave: first.next === null ? first.wave ?? null : null, more: next !== null };
}

// ---- running

export interface Progress {
  readonly changed: number;
  readonly skipped: number;
  /** Where the next step begins; null at the beginning and when all is done. */
  readonly next: string | null;
}

export const NOTHING_YET: Progress = { changed: 0, skipped: 0, next: null };

/** A step that takes this many is a fault: it is ten million tasks. */
const MOST_STEPS = 1_000;

type Step = (after: string | null) => Promise<Pick<BulkResult, 'changed' | 'skipped' | 'next'>>;

/** Runs steps until there are no more or somebody stops it. `report` is called after each step. */
export async function runSteps(step: Step, from: Progress, report: (progress: Progress) => void, stopped: () => boolean): Promise<void> {
  let progress = from;
  for (let i = 0; i < MOST_STEPS; i++) {
    const result = await step(progress.next);
    const stuck = result.next !== null && result.next === progress.next;
    progress = {
      changed: progress.changed + result.changed, skipped: progress.skipped + result.skipped, next: stuck ? null : result.next,
    };
    report(progress);
    if (progress.next === null || stopped()) return;
  }
}

/** One task a step. A task that has changed meanwhile is left alone. */
export function stepsOfTasks(action: BulkAction, tasks: readonly TaskRow[], run: (id: string) => Promise<unknown>): Step {
  return async (after) => {
    const index = after === null ? 0 : Number(after);
    const task = tasks[index];
    const next = index + 1 < tasks.length ? String(index + 1) : null;
    if (!task || !allows(action, task)) return { changed: 0, skipped: task ? 1 : 0, next };
    try {
      await run(task.id);
      return { changed: 1, skipped: 0, next };
    } catch (error) {
      if (error instanceof ApiError && (error.status === 409 || error.status === 404)) return { changed: 0, skipped: 1, next };
      throw error;
    }
  };
}
