// SPDX-License-Identifier: Apache-2.0
import { expect, it } from 'vitest';
import { attemptWords, shortId } from './attempt';

const exponential = (max_retries: number | null) => ({ max_retries, backoff: { type: 'exponential' } });

it('counts attempts from 1', () => {
  expect(attemptWords({ attempt: 2, retry_canonical: exponential(5) })).toBe('3 of 6');
  expect(attemptWords({ attempt: 0, retry_canonical: exponential(0) })).toBe('1 of 1');
});

it('names no limit where there is none', () => {
  expect(attemptWords({ attempt: 2, retry_canonical: exponential(null) })).toBe('3');
  expect(attemptWords({ attempt: 0, retry_canonical: null })).toBe('1');
  expect(attemptWords({ attempt: 0 })).toBe('1');
});

it('names the step of a ladder', () => {
  const ladder = { backoff: { type: 'ladder' } };
  expect(attemptWords({ attempt: 2, badge: 'attempt 3/5, step 1/3', retry_canonical: ladder })).toBe('3/5, step 1/3');
  expect(attemptWords({ attempt: 0, badge: null, retry_canonical: ladder })).toBe('1');
});

it('does not count past its limit after a retry by hand', () => {
  expect(attemptWords({ attempt: 7, retry_canonical: exponential(3) })).toBe('8 of 8');
});

it('cuts ids in the middle', () => {
  expect(shortId('0198c0de-1111-7222-8333-444455550913')).toBe('0198c0de…0913');
  expect(shortId('order-912')).toBe('order-912');
});
