// SPDX-License-Identifier: Apache-2.0
import { expect, it } from 'vitest';
import { isStep, walk } from './walk';
import type { Step } from './walk';

//        1
//  0 --- 2 --- 4
//        3 (a fold, wider)
const layout = { x: [0, 200, 200, 216, 400], y: [100, 0, 100, 200, 100] };
const links = [[0, 1], [0, 2], [0, 3], [1, 4], [2, 4], [3, 4]].map(([parent = 0, child = 0]) => ({ parent, child }));

it.each<[number, Step, number]>([
  [0, 'ArrowRight', 2],
  [1, 'ArrowRight', 4],
  [4, 'ArrowLeft', 2],
  [2, 'ArrowUp', 1],
  [2, 'ArrowDown', 3],
  [3, 'ArrowUp', 2],
  [2, 'Home', 0],
  [2, 'End', 4],
])('from %d by %s to %d', (from, step, to) => {
  expect(walk(from, step, layout, links)).toBe(to);
});

it.each<[number, Step]>([[0, 'ArrowLeft'], [4, 'ArrowRight'], [1, 'ArrowUp'], [3, 'ArrowDown']])('from %d by %s nowhere', (from, step) => {
  expect(walk(from, step, layout, links)).toBe(from);
});

it('knows its keys', () => {
  expect(isStep('ArrowUp')).toBe(true);
  expect(isStep('Enter')).toBe(false);
});
