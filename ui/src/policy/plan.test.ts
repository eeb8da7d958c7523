// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { axisOf, endWords, planRows, policyWords } from './plan';

const retry = (attempt: number, min: number, expected: number, max: number) => ({
  attempt, retry: true, total_min_ms: min, total_expected_ms: expected, total_max_ms: max,
});
const give = (reason: string, ...attempts: ReturnType<typeof retry>[]) => ({
  words: 'up to 2 retries', attempts: [...attempts, { attempt: attempts.length, retry: false, reason }], more: false,
});

it('has a row for each retry', () => {
  expect(planRows(give('exhausted', retry(0, 750, 1_000, 1_250)))).toEqual([{ retry: 1, min: 750, expected: 1_000, max: 1_250 }]);
});

describe('the end', () => {
  it('is told with its range', () => {
    expect(endWords(give('exhausted', retry(0, 750, 1_000, 1_250), retry(1, 2_250, 3_000, 3_750))))
      .toBe('The last of 2 retries comes after about 3 s (2.3 s to 3.8 s). Then it gives up.');
    expect(endWords(give('exhausted', retry(0, 1_000, 1_000, 1_000)))).toBe('The only retry comes after 1 s. Then it gives up.');
  });

  it('has a reason', () => {
    expect(endWords(give('not_retryable'))).toBe('It is not tried again: this failure is not retried.');
    expect(endWords(give('odd'))).toBe('It is not tried again: odd.');
    expect(endWords(give('exhausted'))).toBe('It is not tried again.');
  });

  it('may be far away', () => {
    expect(endWords({ words: '', attempts: [retry(0, 1, 1, 1)], more: true })).toBe('It goes on after the retries shown.');
  });
});

it('takes the words of the server', () => {
  expect(policyWords(give('exhausted'))).toEqual(['Up to 2 retries.']);
  expect(policyWords({ ...give('exhausted'), words: ['one', 'Two.'] })).toEqual(['One.', 'Two.']);
  expect(policyWords({ ...give('exhausted'), sentence: 'After a failure: …' })).toEqual(['After a failure: …']);
});

it('labels the axis', () => {
  expect(axisOf(31_000, 5)).toEqual([0, 10_000, 20_000, 30_000]);
  expect(axisOf(0, 5)).toEqual([0]);
  expect(axisOf(4_500_000, 5)).toEqual([0, 1_200_000, 2_400_000, 3_600_000]);
});
