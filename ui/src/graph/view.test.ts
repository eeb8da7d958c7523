// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { begin, boundsOf, contains, FAR, fit, LEAST_SCALE, MOST_SCALE, overlaps, reveal, visible, zoomAt } from './view';

const SCREEN = { width: 1_000, height: 600 };
const VIEW = { x: 100, y: 50, scale: 0.5 };

describe('zoom', () => {
  it('keeps the point under the pointer where it is', () => {
    const next = zoomAt(VIEW, 2, 300, 250);
    expect(next.scale).toBe(1);
    // (300 - 100) / 0.5 = 400 and (250 - 50) / 0.5 = 400 in the graph.
    expect([400 * next.scale + next.x, 400 * next.scale + next.y]).toEqual([300, 250]);
  });

  it('has limits, at which nothing moves', () => {
    expect(zoomAt({ ...VIEW, scale: MOST_SCALE }, 2, 300, 250)).toEqual({ ...VIEW, scale: MOST_SCALE });
    expect(zoomAt(VIEW, 1e-6, 0, 0).scale).toBe(LEAST_SCALE);
  });
});

describe('fit', () => {
  it('shows all of a large graph', () => {
    const graph = { width: 5_000, height: 100 };
    const shown = visible(fit(graph, SCREEN), SCREEN);
    expect(contains(shown, { left: 0, top: 0, right: graph.width, bottom: graph.height })).toBe(true);
  });

  it('does not blow up a small one, and puts it in the middle', () => {
    expect(fit({ width: 200, height: 100 }, SCREEN)).toEqual({ scale: 1, x: 400, y: 250 });
  });
});

describe('the first view', () => {
  it('is all of a graph that can be read so', () => {
    expect(begin({ width: 1_500, height: 800 }, SCREEN)).toEqual(fit({ width: 1_500, height: 800 }, SCREEN));
  });

  it('is the beginning of a graph that cannot', () => {
    const view = begin({ width: 72_000, height: 44 }, SCREEN);
    expect(view.scale).toBeGreaterThan(FAR);
    expect(view.x).toBeGreaterThan(0);
    expect(22 * view.scale + view.y).toBeCloseTo(300);
  });
});

describe('reveal', () => {
  it('leaves what is visible', () => {
    expect(reveal(VIEW, { left: 0, top: 0, right: 100, bottom: 100 }, SCREEN)).toBe(VIEW);
  });

  it.each([
    { left: -2_000, top: 0, right: -1_900, bottom: 40 },
    { left: 5_000, top: 3_000, right: 5_184, bottom: 3_044 },
  ])('brings %o on screen', (box) => {
    expect(contains(visible(reveal(VIEW, box, SCREEN), SCREEN), box)).toBe(true);
  });
});

it('sees a margin around the screen', () => {
  expect(visible(VIEW, SCREEN)).toEqual({ left: -200, top: -100, right: 1_800, bottom: 1_100 });
  expect(visible(VIEW, SCREEN, 0.5)).toEqual({ left: -1_200, top: -700, right: 2_800, bottom: 1_700 });
});

it('knows what overlaps', () => {
  const box = { left: 0, top: 0, right: 10, bottom: 10 };
  expect(overlaps(box, { left: 10, top: 5, right: 20, bottom: 6 })).toBe(true);
  expect(overlaps(box, { left: 11, top: 5, right: 20, bottom: 6 })).toBe(false);
  expect(boundsOf([3, 9, 1, 4, 2, 12])).toEqual({ left: 1, top: 4, right: 3, bottom: 12 });
});
