// SPDX-License-Identifier: Apache-2.0
import { expect, it } from 'vitest';
import { readRetrySearch, spanFilter, spanFrom, spanSearch, withFilter, withWindow } from './search';

const FULL = {
  window: 'day', from: '2026-11-16T02:00:00.000Z', to: '2026-11-16T03:00:00.000Z', kind: 'charge', strategy: 'ladder', after: 'c',
} as const;

it('reads an address', () => {
  expect(readRetrySearch(FULL)).toEqual(FULL);
  expect(readRetrySearch({})).toEqual({});
});

it('leaves out what it does not understand', () => {
  expect(readRetrySearch({ window: 'year', strategy: 'hope', kind: '', from: 'soon', to: '2026-11-16T03:00:00Z', x: '1' })).toEqual({});
  expect(readRetrySearch({ from: FULL.to, to: FULL.from })).toEqual({});
});

it('turns a part of the window into text and back', () => {
  const span = { from: Date.parse(FULL.from), to: Date.parse(FULL.to) };
  expect(spanSearch(span)).toEqual({ from: FULL.from, to: FULL.to });
  expect(spanFrom(spanSearch(span))).toEqual(span);
  expect(spanFrom({})).toBeNull();
});

it('goes back to the first page when a filter changes', () => {
  expect(withFilter(FULL, { kind: 'mail' })).toEqual({ ...FULL, kind: 'mail', after: undefined });
  expect(withFilter(FULL, { kind: undefined })).not.toHaveProperty('kind');
});

it('forgets the part of the window with the window', () => {
  expect(withWindow(FULL, 'hour')).toEqual({ window: 'hour', kind: 'charge', strategy: 'ladder' });
});

it('stands for the retries that are due from the beginning of the part and before its end', () => {
  const span = { from: Date.parse(FULL.from), to: Date.parse(FULL.to) };
  const bounds = { status: 'RetryPending', due_after: '2026-11-16T01:59:59.999Z', due_before: FULL.to };
  expect(spanFilter({}, span)).toEqual(bounds);
  expect(spanFilter({ kind: 'charge' }, span)).toEqual({ ...bounds, kind: '=charge' });
  expect(spanFilter({ strategy: 'ladder' }, span)).toBeNull();
});
