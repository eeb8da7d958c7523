// SPDX-License-Identifier: Apache-2.0
// The counts of a batch: its state, its progress in words, and the parts of its bar.
import type { BatchRow, StatusCounts } from '../../api/batches';
import { partWords, stateParts } from '../../parts/stateParts';
import type { StatePart } from '../../parts/stateParts';
import type { State } from '../../parts/states';
import { count, duration } from '../../parts/when';

const STATE_OF: Readonly<Record<keyof StatusCounts, State>> = {
  success: 'Success', failure: 'Failure', canceled: 'Canceled', running: 'Running', claimed: 'Claimed',
  retry_pending: 'RetryPending', paused: 'Paused', parked: 'Parked', pending: 'Pending', waiting: 'Waiting',
};

/** The states that occur, in the order of the bar. */
export function partsOf(counts: StatusCounts): StatePart[] {
  const names = Object.keys(STATE_OF) as (keyof StatusCounts)[];
  return stateParts(new Map(names.map((name) => [STATE_OF[name], counts[name]])));
}

type Summary = Pick<BatchRow, 'status_counts' | 'ended_at' | 'next_run_at' | 'total_tasks' | 'progress'>;

/** One state for the whole batch: the worst end, or the liveliest of the states of its tasks. */
export function batchState({ status_counts: counts, ended_at, next_run_at }: Summary): State {
  if (next_run_at !== null) return 'RetryPending';
  const [first, ...rest] = ended_at === null
    ? (['running', 'claimed', 'retry_pending', 'pending', 'paused', 'parked'] as const)
    : (['failure', 'canceled'] as const);
  const found = [first, ...rest].find((name) => counts[name] > 0);
  if (found === undefined) return ended_at === null ? 'Waiting' : 'Success';
  return found === 'claimed' ? 'Running' : STATE_OF[found];
}

/** "1,612 of 2,000 done". */
export function doneWords({ status_counts: counts, total_tasks }: Summary): string {
  const done = counts.success + counts.failure + counts.canceled;
  return `${count(done)} of ${count(total_tasks)} done`;
}

/** What else there is to say: failures, retries, and so on; successes are in `doneWords`. */
export function restWords(counts: StatusCounts): string[] {
  const order: readonly State[] = ['Failure', 'RetryPending', 'Running', 'Parked', 'Paused', 'Canceled'];
  const parts = partsOf(counts);
  return order.flatMap((state) => parts.filter((part) => part.state === state)).map(partWords);
}

/**
 * "about 4 min left", if the present speed lasts. Null while too little is done to tell, and when
 * nothing runs: then the length of waits, not work, decides.
 */
export function leftWords(summary: Summary, startedAt: number, now: number): string | null {
  const { progress, status_counts: counts, ended_at } = summary;
  const elapsed = now - startedAt;
  if (ended_at !== null || progress < 0.05 || progress >= 1 || elapsed < 2_000) return null;
  if (counts.running + counts.claimed === 0) return null;
  return `about ${roughly((elapsed * (1 - progress)) / progress)} left`;
}

/** A length that does not change each second: seconds in steps of five, then whole minutes and hours. */
function roughly(ms: number): string {
  const step = ms < 60_000 ? 5_000 : ms < 3_600_000 ? 60_000 : 3_600_000;
  return duration(Math.max(1, Math.round(ms / step)) * step);
}
