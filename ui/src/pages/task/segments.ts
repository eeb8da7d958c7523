// SPDX-License-Identifier: Apache-2.0
// A task of the API as segments of its timeline.
import type { Attempt, TaskDetails } from '../../api/client';
import type { TaskPlan } from '../../api/task';
import { runsOf, segmentsOf, withEarlier, withPlan } from '../../timeline/spans';
import type { Entry, Planned, Segment } from '../../timeline/spans';

type Facts = Pick<TaskDetails, 'status' | 'attempt' | 'attempts' | 'attempts_total' | 'created_at' | 'started_at' | 'next_retry_at'>;

/** More ghosts would leave no room for what has happened. */
const MOST_GHOSTS = 4;

/** `older` are attempts loaded besides those of the task, newest first; with `more` there are others before them. */
export function segmentsFor(
  task: Facts, now: number, expanded: boolean, coming: TaskPlan['coming'] = [], more = false, older: readonly Attempt[] = [],
): Segment[] {
  const attempts = [...older.toReversed(), ...task.attempts];
  const segments = segmentsOf(runsOf(attempts.map(entryOf), openRun(task, now)), expanded);
  const earlier = more ? Math.max(1, task.attempts_total - attempts.length) : 0;
  return withPlan(withEarlier(segments, earlier, Date.parse(task.created_at)), plannedOf(task, coming));
}

/** The attempts to come. Without a plan, a waiting retry is still known. */
function plannedOf(task: Facts, coming: TaskPlan['coming']): Planned[] {
  const ghosts = coming.flatMap(ghostOf).slice(0, MOST_GHOSTS);
  if (ghosts.length > 0) return ghosts;
  if (task.status !== 'RetryPending' || typeof task.next_retry_at !== 'string') return [];
  const at = Date.parse(task.next_retry_at);
  return [{ type: 'planned', attempt: task.attempt + 1, from: at, to: at, at }];
}

function ghostOf({ attempt, at, at_min: from, at_max: to }: TaskPlan['coming'][number]): Planned[] {
  if (at === null || to === null) return [];
  return [{ type: 'planned', attempt: attempt + 1, from: Date.parse(from), to: Date.parse(to), at: Date.parse(at) }];
}

function openRun(task: Facts, now: number) {
  if (task.status !== 'Running' || typeof task.started_at !== 'string') return undefined;
  return { number: task.attempt, from: Date.parse(task.started_at), now };
}

function entryOf(attempt: Attempt): Entry {
  return {
    number: attempt.number,
    startedAt: typeof attempt.started_at === 'string' ? Date.parse(attempt.started_at) : null,
    endedAt: Date.parse(attempt.ended_at),
    outcome: attempt.outcome,
    label: labelOf(attempt),
  };
}

function labelOf(attempt: Attempt): string {
  if (attempt.outcome !== 'failure') return '';
  return attempt.code ?? (typeof attempt.status === 'number' ? String(attempt.status) : attempt.failure_kind ?? '');
}
