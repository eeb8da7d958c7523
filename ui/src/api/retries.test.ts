// SPDX-License-Identifier: Apache-2.0
import { expect, it } from 'vitest';
import { spanQuery } from './retries';

const NOW = Date.parse('2026-11-16T02:10:00Z');

it('asks for everything until the end of a span that has begun', () => {
  expect(spanQuery({ from: NOW - 30_000, to: NOW + 30_500 }, NOW)).toEqual({ within: '31s' });
});

it('begins at a span that lies ahead', () => {
  expect(spanQuery({ from: NOW + 60_000, to: NOW + 120_000 }, NOW)).toEqual({
    within: '120s', after: '2026-11-16T02:11:00.000Z_00000000-0000-0000-0000-000000000000',
  });
});

it('still asks for something when the span is over', () => {
  expect(spanQuery({ from: NOW - 60_000, to: NOW - 30_000 }, NOW)).toEqual({ within: '1s' });
});
