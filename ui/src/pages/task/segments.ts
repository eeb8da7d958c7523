// SPDX-License-Identifier: Apache-2.0
// A task of the API as segments of its timeline.
import type { Attempt, TaskDetails } from '../../api/client';
import { runsOf, segmentsOf, withPlan } from '../../timeline/spans';
import type { Entry, Segment } from '../../timeline/spans';

type Facts = Pick<TaskDetails, 'status' | 'attempt' | 'attempts' | 'started_at' | 'next_retry_at'>;

export function segmentsFor(task: Facts, now: number, expanded: boolean): Segment[] {
  const runs = runsOf(task.attempts.map(entryOf), openRun(task, now));
  const segments = segmentsOf(runs, expanded);
  if (task.status !== 'RetryPending' || typeof task.next_retry_at !== 'string') return segments;
  const at = Date.parse(task.next_retry_at);
  return withPlan(segments, [{ type: 'planned', attempt: task.attempt + 1, from: at, to: at, at }]);
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
