// SPDX-License-Identifier: Apache-2.0
// What is wrong, in sentences, and where each of them leads.
import type { Overview, OverviewProblem } from '../../api/overview';
import { fromParams, toParams } from '../../parts/filters';
import type { FilterParams } from '../../parts/filters';
import { count } from '../../parts/when';
import type { DeadSearch } from '../dead/search';
import { readRetrySearch } from '../retries/search';
import type { RetrySearch } from '../retries/search';

export type Level = 'trouble' | 'warning' | 'well';

export type Target = { readonly word: string } & (
  | { readonly to: '/tasks'; readonly search: FilterParams }
  | { readonly to: '/retries'; readonly search: RetrySearch }
  | { readonly to: '/dead'; readonly search: DeadSearch }
  | { readonly to: '/schedules/$id'; readonly params: { readonly id: string } }
  | { readonly to: '/schedules' | '/settings' }
);

export interface Sentence {
  readonly key: string;
  readonly level: Level;
  readonly text: string;
  /** When it began, where the text does not say it. */
  readonly since: string | null;
  /** When it was over. */
  readonly overAt: string | null;
  readonly target: Target | null;
  /** The error that is behind it, and its tasks. */
  readonly error?: { readonly title: string; readonly search: FilterParams };
  /** The kind that can be paused until it is mended. */
  readonly pausable?: string;
}

/** The worst first; what is over comes last. If nothing is wrong now, or nothing is known yet, the first sentence says so. */
export function sentencesOf(overview: Overview): Sentence[] {
  const all = overview.problems.map((problem) => sentenceOf(problem, overview));
  const active = all.filter((one) => one.overAt === null);
  const over = all.filter((one) => one.overAt !== null);
  const first = active.length > 0 ? active : [overview.counted_at === null ? { ...well('Still counting. The database is slow to answer.'), level: 'warning' as const } : well(allIsWell(overview))];
  return [...first, ...over];
}

function well(text: string): Sentence {
  return { key: 'well', level: 'well', text, since: null, overAt: null, target: null };
}

/** "All is well. 12,480 tasks in the last hour, 99.8 % succeeded." */
export function allIsWell({ hour }: Pick<Overview, 'hour'>): string {
  const ended = hour.succeeded + hour.gave_up;
  if (ended === 0) return 'All is well. No task ended in the last hour.';
  return `All is well. ${count(ended)} ${ended === 1 ? 'task' : 'tasks'} in the last hour, ${percent(hour.succeeded, ended)} succeeded.`;
}

/** Rounded down to a tenth, so that only all is 100 %. */
export function percent(part: number, of: number): string {
  const tenths = Math.floor((part * 1_000) / of);
  return `${new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 }).format(tenths / 10)} %`;
}

/** Problems whose text does not say since when. */
const SINCE: ReadonlySet<OverviewProblem['id']> = new Set(['store_away', 'kind_failing', 'kind_degraded', 'amplified', 'parked'] as const);

function sentenceOf(problem: OverviewProblem, overview: Overview): Sentence {
  const over = problem.over_at !== null;
  return {
    key: `${problem.id} ${problem.kind ?? ''} ${problem.name ?? ''}`,
    level: over ? 'well' : problem.level,
    text: problem.text,
    since: !over && SINCE.has(problem.id) ? problem.since : null,
    overAt: problem.over_at,
    target: targetOf(problem, overview),
    ...errorOf(problem),
    ...(problem.id === 'kind_failing' && problem.kind !== null && !over ? { pausable: problem.kind } : {}),
  };
}

function errorOf({ kind, error, error_title: title }: OverviewProblem): Pick<Sentence, 'error'> {
  if (error === null || !title) return {};
  return { error: { title, search: { error, ...(kind === null ? {} : { kind: `=${kind}` }) } } };
}

function targetOf({ id, kind, name, filter }: OverviewProblem, overview: Overview): Target | null {
  if (id === 'wave') return { to: '/retries', search: windowOf(filter), word: 'See the retries' };
  if (id === 'amplified') return { to: '/retries', search: {}, word: 'See the retries' };
  if (id === 'node_late' || id === 'node_died') return { to: '/settings', word: 'See the nodes' };
  if (id === 'schedule_missed' && name !== null) return { to: '/schedules/$id', params: { id: name }, word: 'See the schedule' };
  if (id === 'schedule_missed') return { to: '/schedules', word: 'See the schedules' };
  if (id === 'dead_new') return { to: '/dead', search: deadSearch(overview.dead), word: 'See the dead letters' };
  // The list takes a kind as a part of one, unless it begins with =.
  const exact = kind === null ? filter : { ...filter, kind: `=${kind}` };
  if (Object.keys(filter).length > 0) return { to: '/tasks', search: toParams(fromParams(exact)), word: 'See the tasks' };
  if (id === 'backlog_grows') return { to: '/tasks', search: { status: 'Pending,RetryPending' }, word: 'See the tasks' };
  return null;
}

/** The hour that the wave is in, and the part of it that is high. */
function windowOf({ due_after: from, due_before: to }: OverviewProblem['filter']): RetrySearch {
  return readRetrySearch({ window: 'hour', from, to });
}

/** What was given up in the last hour: tasks, unless it was only deliveries. */
function deadSearch(dead: Overview['dead']): DeadSearch {
  return dead.tasks_1h === 0 && dead.deliveries_1h > 0 ? { tab: 'deliveries' } : { since: '1h' };
}

/** Whether the counts are old because the database is away. */
export function isStoreAway(overview: Overview): boolean {
  return overview.problems.some((one) => one.id === 'store_away' && one.over_at === null);
}
