// SPDX-License-Identifier: Apache-2.0
import { expect, it } from 'vitest';
import { runFilter, withinRun } from './runFilter';

const [ONE, TWO] = ['2026-11-16T02:00:00Z', '2026-11-16T03:00:00Z'];
const run = (number: number, ended_at: string | null) => ({ run: number, started_at: ONE, ended_at, outcome: null, failure: null });
const batch = { batch_id: 'b', run: 2, runs: [run(0, ONE), run(1, TWO), run(2, null)] };

it.each([
  [0, { batch_id: 'b', created_before: ONE }],
  [1, { batch_id: 'b', created_after: ONE, created_before: TWO }],
  [2, { batch_id: 'b', created_after: TWO }],
])('finds the tasks of run %d', (number, filter) => {
  expect(runFilter(batch, number)).toEqual(filter);
});

it('needs nothing more for the only run', () => {
  expect(runFilter({ batch_id: 'b', run: 0, runs: [run(0, ONE)] }, 0)).toEqual({ batch_id: 'b' });
});

it('never lets a filter reach the tasks of another run', () => {
  const [early, within, late] = ['2026-11-16T01:00:00Z', '2026-11-16T02:30:00Z', '2026-11-16T05:00:00Z'];
  expect(withinRun({ kind: '=a', created_after: early, created_before: late }, batch, 1))
    .toEqual({ kind: '=a', batch_id: 'b', created_after: ONE, created_before: TWO });
  expect(withinRun({ created_after: within }, batch, 1)).toEqual({ batch_id: 'b', created_after: within, created_before: TWO });
});
