// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import type { StatusCounts } from '../../api/batches';
import { batchState, doneWords, leftWords, partsOf, restWords } from './counts';

const NONE: StatusCounts = {
  waiting: 0, pending: 0, claimed: 0, running: 0, retry_pending: 0, paused: 0, parked: 0, success: 0, failure: 0, canceled: 0,
};

function summary(counts: Partial<StatusCounts>, changes: object = {}) {
  const total = Object.values(counts).reduce((sum, one) => sum + one, 0);
  return { status_counts: { ...NONE, ...counts }, total_tasks: total, progress: 0, ended_at: null, next_run_at: null, ...changes };
}

const AT = '2026-11-16T02:00:00Z';

describe('the state of a batch', () => {
  it.each([
    [{ waiting: 2, pending: 1, running: 1 }, {}, 'Running'],
    [{ waiting: 2, claimed: 1 }, {}, 'Running'],
    [{ waiting: 2, retry_pending: 1, pending: 1 }, {}, 'RetryPending'],
    [{ waiting: 1, success: 1 }, {}, 'Waiting'],
    [{ success: 3 }, { ended_at: AT }, 'Success'],
    [{ success: 3, canceled: 1 }, { ended_at: AT }, 'Canceled'],
    [{ success: 3, canceled: 1, failure: 1 }, { ended_at: AT }, 'Failure'],
    [{ failure: 1 }, { ended_at: AT, next_run_at: AT }, 'RetryPending'],
  ] as const)('%o %o is %s', (counts, changes, state) => {
    expect(batchState(summary(counts, changes))).toBe(state);
  });
});

it('orders the bar from what is done to what is to come', () => {
  expect(partsOf({ ...NONE, waiting: 4, running: 3, failure: 2, success: 1 }).map(({ state }) => state))
    .toEqual(['Success', 'Failure', 'Running', 'Waiting']);
});

it('says progress in words', () => {
  const batch = summary({ success: 1_609, failure: 3, running: 87, retry_pending: 12, waiting: 289 });
  expect(doneWords(batch)).toBe('1,612 of 2,000 done');
  expect(restWords(batch.status_counts)).toEqual(['3 failed', '12 retry pending', '87 running']);
  expect(doneWords(summary({ success: 7 }))).toBe('7 of 7 done');
});

describe('the time left', () => {
  const left = (counts: Partial<StatusCounts>, progress: number, elapsed: number) =>
    leftWords(summary(counts, { progress }), 1_000, 1_000 + elapsed);

  it('follows from the speed so far', () => {
    expect(left({ running: 1 }, 0.2, 60_000)).toBe('about 4 min left');
    expect(left({ running: 1 }, 0.5, 12_000)).toBe('about 10 s left');
    expect(left({ running: 1 }, 0.9, 9_000)).toBe('about 5 s left');
  });

  it('is not said when nobody can tell', () => {
    expect(left({ running: 1 }, 0.04, 60_000)).toBeNull();
    expect(left({ running: 1 }, 0.5, 1_000)).toBeNull();
    expect(left({ retry_pending: 1, pending: 1 }, 0.5, 60_000)).toBeNull();
    expect(left({ running: 1 }, 1, 60_000)).toBeNull();
  });
});
