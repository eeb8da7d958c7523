// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import type { Explanation } from '../api/policies';
import { axisOf, endWords, planRows, policySentence, properties } from './plan';

const retry = (attempt: number, min: number, expected: number, max: number) => ({
  attempt, retry: true, total_min_ms: min, total_expected_ms: expected, total_max_ms: max,
});
type Reason = NonNullable<Explanation['attempts'][number]['reason']>;

function plan(changes: Partial<Explanation>): Explanation {
  return { canonical: null, dialect: 'canonical', words: [], sentence: 'up to 2 retries', attempts: [], end: null, more: false, ...changes };
}

const give = (reason: Reason, ...attempts: ReturnType<typeof retry>[]) =>
  plan({ attempts: [...attempts, { attempt: attempts.length, retry: false, reason }] });

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
    expect(endWords(give('no_policy'))).toBe('It is not tried again.');
    expect(endWords(give('exhausted'))).toBe('It is not tried again.');
  });

  it('may be far away', () => {
    expect(endWords(plan({ attempts: [retry(0, 1, 1, 1)], more: true }))).toBe('It goes on after the retries shown.');
  });
});

describe('the words', () => {
  it('begin with the sentence of the server', () => {
    expect(policySentence(plan({}))).toBe('Up to 2 retries.');
  });

  it('begin with the sentence of a ladder, unless something else limits it', () => {
    const canonical = { backoff: { type: 'ladder', steps: [{ count: 0, delay: '1m' }] }, jitter: 'none', retry_on: ['code:no_slots'] } as unknown as NonNullable<Explanation['canonical']>;
    expect(policySentence(plan({ canonical }))).toBe('After a failure with no_slots: every minute until it succeeds.');
    expect(policySentence(plan({ canonical: { ...canonical, expires_after: '1d' } }))).toBe('Up to 2 retries.');
  });

  it('go on with the other properties', () => {
    expect(properties(plan({ words: ['retries: up to 2 retries', 'jitter: none: all clients wait equally long'] })))
      .toEqual([{ label: 'jitter', text: 'none: all clients wait equally long' }]);
  });
});

it('labels the axis', () => {
  expect(axisOf(31_000, 5)).toEqual([0, 10_000, 20_000, 30_000]);
  expect(axisOf(0, 5)).toEqual([0]);
  expect(axisOf(4_500_000, 5)).toEqual([0, 1_200_000, 2_400_000, 3_600_000]);
});
