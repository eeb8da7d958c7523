// SPDX-License-Identifier: Apache-2.0
import { expect, it } from 'vitest';
import { earliestRuns } from './earliest';
import type { DagTask } from './read';

const NOW = 100_000;

function task(changes: Partial<DagTask>): DagTask {
  return {
    id: '', kind: 'k', name: '', status: 'Waiting', attempt: 0, createdAt: 0, runAt: 0, startedAt: null, endedAt: null, nextRetryAt: null, ...changes,
  };
}

const link = (parent: number, child: number) => ({ parent, child, requiresSuccess: true });
const DONE = task({ status: 'Success', startedAt: 0, endedAt: 4_000 });

it('follow what runs, and each other', () => {
  const running = task({ status: 'Running', startedAt: NOW - 1_000 });
  expect(earliestRuns([DONE, running, task({}), task({})], [link(0, 1), link(1, 2), link(2, 3)], NOW)).toEqual([
    null, null, { from: NOW + 3_000, to: NOW + 7_000 }, { from: NOW + 7_000, to: NOW + 11_000 },
  ]);
});

it('follow a retry', () => {
  const retry = task({ status: 'RetryPending', startedAt: 0, nextRetryAt: NOW + 60_000 });
  expect(earliestRuns([retry, task({ kind: 'other' }), DONE], [link(0, 1)], NOW)[1]).toEqual({ from: NOW + 64_000, to: NOW + 68_000 });
});

it('begin now if nothing is known', () => {
  expect(earliestRuns([task({ status: 'Pending' }), task({})], [link(0, 1)], NOW)[1]).toEqual({ from: NOW, to: NOW });
});
