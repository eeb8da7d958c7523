// SPDX-License-Identifier: Apache-2.0
import { expect, it } from 'vitest';
import { arrowHead, clampAcross, edgePath, farPath, gridAt } from './edges';

it('leads from edge to edge', () => {
  expect(edgePath([0, 0, 300, 40], 90, 100)).toBe('M90 0C145 0 145 40 200 40');
});

it('passes through the points between', () => {
  expect(edgePath([0, 0, 300, 40, 600, 40], 90, 90)).toBe('M90 0C195 0 195 40 300 40C405 40 405 40 510 40');
  expect(farPath([0, 0, 300, 40, 600, 40], 1)).toBe('M0 0L300 40L600 40');
});

it('draws a head', () => {
  expect(arrowHead(510, 40)).toBe('M510 40l-7 -4v8z');
});

it('makes links to far away places the same line', () => {
  const screen = { top: 0, bottom: 100 };
  expect(clampAcross([0, 50, 300, 90], screen)).toEqual([0, 50, 300, 90]);
  expect(clampAcross([0, 50, 300, 5_000], screen)).toEqual(clampAcross([0, 50, 300, 9_000], screen));
  expect(clampAcross([0, -5_000, 300, 5_000], screen)).toEqual([0, -200, 300, 300]);
});

it('makes links that cannot be told apart the same line', () => {
  expect(gridAt(0.02)).toBe(128);
  expect(farPath([0, 0, 300, 9_990], 128)).toBe(farPath([0, 20, 300, 10_020], 128));
});
