// SPDX-License-Identifier: Apache-2.0
import { expect, it } from 'vitest';
import type { Run } from './spans';
import { segmentWords } from './words';

const RUN: Run = { type: 'run', attempt: 3, from: 0, to: 1_900, outcome: 'failure', label: '503', marks: [] };

it('tells what an attempt did', () => {
  expect(segmentWords(RUN)).toBe('Attempt 3 failed after 1.9 s (503).');
  expect(segmentWords({ ...RUN, outcome: 'running', label: '' })).toBe('Attempt 3 has been running for 1.9 s.');
  expect(segmentWords({ ...RUN, outcome: 'success', label: '', marks: [{ at: 5, outcome: 'lost' }] }))
    .toBe('Attempt 3 succeeded after 1.9 s. Interrupted once.');
});

it('tells waits, folds and what is next', () => {
  expect(segmentWords({ type: 'wait', from: 0, to: 41_000 })).toBe('Waits 41 s.');
  expect(segmentWords({ type: 'fold', attempts: 31, from: 0, to: 1, every: 300_000 })).toBe('31 more attempts, every 5 min.');
  expect(segmentWords({ type: 'fold', attempts: 1_200, from: 0, to: 1, every: null, earlier: true })).toBe('1,200 earlier attempts.');
  expect(segmentWords({ type: 'planned', attempt: 4, from: 0, to: 0, at: 0 })).toBe('Attempt 4 is planned.');
  expect(segmentWords({ type: 'planned', attempt: 5, from: 0, to: 20_000, at: 10_000 })).toBe('Attempt 5 is planned, give or take 10 s.');
});
