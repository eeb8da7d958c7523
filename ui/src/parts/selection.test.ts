// SPDX-License-Identifier: Apache-2.0
import { expect, it } from 'vitest';
import { ALL, extended, NONE, pageToggled, toggled, within } from './selection';

const ORDER = ['a', 'b', 'c', 'd', 'e'];

it('selects and deselects a row', () => {
  const one = toggled(NONE, 'b');
  expect(within(one, ORDER)).toEqual(['b']);
  expect(within(toggled(one, 'b'), ORDER)).toEqual([]);
});

it('selects a range from the last row, in both directions', () => {
  expect(within(extended(toggled(NONE, 'b'), 'd', ORDER), ORDER)).toEqual(['b', 'c', 'd']);
  expect(within(extended(toggled(NONE, 'd'), 'b', ORDER), ORDER)).toEqual(['b', 'c', 'd']);
  expect(within(extended(NONE, 'c', ORDER), ORDER)).toEqual(['c']);
});

it('selects the page, then nothing', () => {
  const page = pageToggled(NONE, ORDER);
  expect(within(page, ORDER)).toEqual(ORDER);
  expect(pageToggled(page, ORDER)).toBe(NONE);
  expect(pageToggled(ALL, ORDER)).toBe(NONE);
});

it('forgets rows that are gone, and all that match as soon as one row is chosen', () => {
  expect(within(toggled(NONE, 'z'), ORDER)).toEqual([]);
  expect(toggled(ALL, 'a').all).toBe(false);
});
