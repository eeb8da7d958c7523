// SPDX-License-Identifier: Apache-2.0
// When waiting tasks could start, if all that is before them goes as usual.
import { depthsOf } from './fold';
import type { GraphLink } from './fold';
import type { DagTask } from './read';

/** A run that has not begun. */
export interface Expected {
  readonly from: number;
  readonly to: number;
}

/** For each task that waits for others, its earliest run; null for all others. */
export function earliestRuns(tasks: readonly DagTask[], links: readonly GraphLink[], now: number): (Expected | null)[] {
  const usual = usualRuns(tasks);
  const parents: number[][] = tasks.map(() => []);
  for (const { parent, child } of links) parents[child]?.push(parent);
  const depths = depthsOf(tasks.length, links);
  const order = tasks.map((_, index) => index).sort((a, b) => (depths[a] ?? 0) - (depths[b] ?? 0));
  const ends = new Float64Array(tasks.length);
  const runs: (Expected | null)[] = tasks.map(() => null);
  for (const index of order) {
    const task = tasks[index] as DagTask;
    const length = usual.get(task.kind) ?? usual.get('') ?? 0;
    const ready = Math.max(now, ...(parents[index] ?? []).map((parent) => ends[parent] ?? 0));
    if (task.status === 'Waiting') runs[index] = { from: ready, to: ready + length };
    ends[index] = endOf(task, ready, length, now);
  }
  return runs;
}

function endOf({ status, startedAt, endedAt, nextRetryAt }: DagTask, ready: number, length: number, now: number): number {
  if (endedAt !== null) return endedAt;
  if (status === 'RetryPending') return Math.max(now, nextRetryAt ?? now) + length;
  return status === 'Running' && startedAt !== null ? Math.max(now, startedAt + length) : ready + length;
}

/** The mean run by kind, and of all tasks under ''. */
function usualRuns(tasks: readonly DagTask[]): ReadonlyMap<string, number> {
  const sums = new Map<string, { sum: number; count: number }>();
  for (const { kind, startedAt, endedAt } of tasks) {
    if (startedAt === null || endedAt === null) continue;
    for (const key of [kind, '']) {
      const known = sums.get(key) ?? { sum: 0, count: 0 };
      sums.set(key, { sum: known.sum + endedAt - startedAt, count: known.count + 1 });
    }
  }
  return new Map([...sums].map(([key, { sum, count }]) => [key, sum / count]));
}
