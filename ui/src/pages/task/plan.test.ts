// SPDX-License-Identifier: Apache-2.0
import { expect, it } from 'vitest';
import { fromLocal, toLocal } from './localTime';
import { endWords, waitWords } from './plan';

const NOW = Date.parse('2026-11-16T02:00:00Z');
const at = (seconds: number) => new Date(NOW + seconds * 1_000).toISOString();

it('says when it gives up', () => {
  const end = { reason: 'exhausted', after_attempt: 5, at_min: at(180), at_max: at(300) };
  expect(endWords(end, NOW)).toBe('Gives up after attempt 6, in 3 min to 5 min: no retries left.');
  expect(endWords({ ...end, at_min: at(300) }, NOW)).toBe('Gives up after attempt 6, in 5 min: no retries left.');
  expect(endWords({ ...end, at_min: at(-60) }, NOW)).toBe('Gives up after attempt 6, in 5 min: no retries left.');
  expect(endWords({ ...end, at_min: at(-60), at_max: at(-50) }, NOW)).toBe('Gave up after attempt 6: no retries left.');
});

it('says how it ended, or nothing if nobody knows', () => {
  expect(endWords({ reason: 'succeeded', after_attempt: 1, at_min: at(0), at_max: at(0) }, NOW)).toBe('Ended: it succeeded in attempt 2.');
  expect(endWords(null, NOW)).toBeNull();
});

it('says when each attempt comes', () => {
  const coming = [
    { attempt: 3, at: at(41), at_min: at(41), at_max: at(41), drawn: true, step: null },
    { attempt: 4, at: at(121), at_min: at(101), at_max: at(141), drawn: false, step: null },
    { attempt: 5, at: null, at_min: at(300), at_max: null, drawn: false, step: null },
  ];
  expect(coming.map((_, i) => waitWords(coming, i, NOW))).toEqual(['in 41 s', 'about 1 min 20 s later', 'waits for other tasks']);
  expect(waitWords(coming, 0, NOW + 60_000)).toBe('due');
});

it('reads back the local time that it writes', () => {
  expect(fromLocal(toLocal(NOW))).toBe(NOW);
  expect(fromLocal('')).toBeNull();
  expect(fromLocal('2026-11-16')).toBeNull();
});
