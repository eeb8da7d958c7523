// SPDX-License-Identifier: Apache-2.0
import { expect, it } from 'vitest';
import { nextCursor } from './link';

it('reads the cursor of the next page', () => {
  expect(nextCursor('</task?kind=%3Da%26b&after=0198%2Bx>; rel="next"')).toEqual({ after: '0198+x' });
  expect(nextCursor('</task?page=2>; rel="next"')).toEqual({ page: '2' });
  expect(nextCursor('</task>; rel="first", </task?after=z>; rel=next')).toEqual({ after: 'z' });
});

it('finds none on the last page', () => {
  expect(nextCursor(null)).toBeNull();
  expect(nextCursor('')).toBeNull();
  expect(nextCursor('</task?after=z>; rel="prev"')).toBeNull();
});
