// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { layOutGraph } from './layout';
import type { Layout } from './layout';
import { LARGE, SMALL } from './sizes';

type Pair = readonly [number, number];

function small(count: number): boolean[] {
  return Array.from({ length: count }, () => false);
}

function expectInside({ width, height, x, y }: Layout): void {
  x.forEach((at) => expect(at - SMALL.width / 2).toBeGreaterThanOrEqual(0));
  x.forEach((at) => expect(at + SMALL.width / 2).toBeLessThanOrEqual(width));
  y.forEach((at) => expect(at - SMALL.height / 2).toBeGreaterThanOrEqual(0));
  y.forEach((at) => expect(at + SMALL.height / 2).toBeLessThanOrEqual(height));
}

describe('the layout', () => {
  const links: Pair[] = [[0, 1], [0, 2], [1, 3], [2, 3], [0, 3]];
  const layout = layOutGraph({ large: [false, false, true, false], links });

  it('puts children to the right of their parents', () => {
    for (const [parent, child] of links) expect(layout.x[child]).toBeGreaterThan(layout.x[parent] ?? Infinity);
  });

  it('leaves room between the nodes of a layer', () => {
    expect(Math.abs((layout.y[1] ?? 0) - (layout.y[2] ?? 0))).toBeGreaterThanOrEqual((SMALL.height + LARGE.height) / 2);
  });

  it('leads each link from its parent to its child', () => {
    links.forEach(([parent, child], i) => {
      const points = layout.links[i] ?? [];
      expect(points.slice(0, 2)).toEqual([layout.x[parent], layout.y[parent]]);
      expect(points.slice(-2)).toEqual([layout.x[child], layout.y[child]]);
    });
  });

  it('stays within its bounds', () => {
    expectInside(layout);
  });
});

it('lays out graphs of several parts, of one node, and of none', () => {
  expectInside(layOutGraph({ large: small(5), links: [[0, 1], [2, 3]] }));
  expect(layOutGraph({ large: small(1), links: [] })).toMatchObject({ width: SMALL.width, height: SMALL.height });
  expect(layOutGraph({ large: [], links: [] })).toMatchObject({ width: 0, links: [] });
});

it('lays out two links between the same nodes', () => {
  expect(layOutGraph({ large: small(2), links: [[0, 1], [0, 1]] }).links.map((points) => points.length > 3)).toEqual([true, true]);
});

it('lays out a long chain without a stack overflow', () => {
  const links = Array.from({ length: 2_999 }, (_, i): Pair => [i, i + 1]);
  expectInside(layOutGraph({ large: small(3_000), links }));
});

it('lays out a tangle of long links at once, in columns', () => {
  let seed = 42;
  const draw = (below: number) => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  const links = Array.from({ length: 1_999 }, (_, i): Pair[] => [[draw(i + 1), i + 1], [draw(i + 1), i + 1]]).flat();
  const layout = layOutGraph({ large: small(2_000), links });
  expectInside(layout);
  for (const [parent, child] of links) expect(layout.x[child]).toBeGreaterThan(layout.x[parent] ?? Infinity);
  expect(new Set(layout.x.map((x, i) => `${x} ${layout.y[i]}`)).size).toBe(2_000);
});
