// SPDX-License-Identifier: Apache-2.0
import { expect, it } from 'vitest';
import { canFind, jumpsFor, placesFor } from './jump';

it('offers places by the beginning of a word', () => {
  expect(placesFor('retr').map(({ words }) => words)).toEqual(['Go to Retries']);
  expect(placesFor('go to let').map(({ words }) => words)).toEqual(['Go to Dead letters']);
  expect(placesFor(' ')).toEqual([]);
});

it('names what was found', () => {
  expect(jumpsFor([{ type: 'task', id: '0198', title: 'order 913', status: 'Failure' }, { type: 'batch', id: '0199', title: null, status: null }]))
    .toMatchObject([{ type: 'task', words: 'order 913 · Failure' }, { type: 'batch', words: '0199' }]);
});

it('does not look for filters', () => {
  expect(canFind('0198a1')).toBe(true);
  expect(canFind('kind:charge')).toBe(false);
  expect(canFind('x')).toBe(false);
});
