// SPDX-License-Identifier: Apache-2.0
// A quick layout for graphs with many long links, for which a careful one would take minutes.
import { depthsOf } from './fold';
import { LARGE, SMALL } from './sizes';
import type { Layout, LayoutRequest } from './layout';

const SWEEPS = 6;

/** Columns by depth, each ordered by the mean place of its neighbours. Links are straight. */
export function layOutSimply({ large, links }: LayoutRequest, gapAcross: number, gapAlong: number): Layout {
  const depths = depthsOf(large.length, links.map(([parent, child]) => ({ parent, child, requiresSuccess: true })));
  const columns: number[][] = [];
  depths.forEach((depth, node) => (columns[depth] ??= []).push(node));
  const parents: number[][] = large.map(() => []);
  const children: number[][] = large.map(() => []);
  for (const [parent, child] of links) {
    parents[child]?.push(parent);
    children[parent]?.push(child);
  }
  const y = new Float64Array(large.length);
  const stack = (column: readonly number[]) => {
    const total = column.reduce((sum, node) => sum + heightOf(large[node]) + gapAcross, -gapAcross);
    let top = -total / 2;
    for (const node of column) {
      y[node] = top + heightOf(large[node]) / 2;
      top += heightOf(large[node]) + gapAcross;
    }
  };
  columns.forEach(stack);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const forward = sweep % 2 === 0;
    for (const column of forward ? columns : columns.toReversed()) {
      const wanted = new Map(column.map((node) => [node, meanOf((forward ? parents : children)[node] ?? [], y, y[node] ?? 0)]));
      column.sort((a, b) => (wanted.get(a) ?? 0) - (wanted.get(b) ?? 0));
      stack(column);
    }
  }
  const top = y.reduce((least, at, node) => Math.min(least, at - heightOf(large[node]) / 2), Infinity);
  const bottom = y.reduce((most, at, node) => Math.max(most, at + heightOf(large[node]) / 2), -Infinity);
  const xs = Array.from(depths, (depth) => Math.round(LARGE.width / 2 + depth * (LARGE.width + gapAlong)));
  const ys = Array.from(y, (at) => Math.round(at - top));
  return {
    width: columns.length * (LARGE.width + gapAlong) - gapAlong, height: Math.ceil(bottom - top), x: xs, y: ys,
    links: links.map(([parent, child]) => [xs[parent] ?? 0, ys[parent] ?? 0, xs[child] ?? 0, ys[child] ?? 0]),
  };
}

function heightOf(large: boolean | undefined): number {
  return large ? LARGE.height : SMALL.height;
}

function meanOf(nodes: readonly number[], y: Float64Array, otherwise: number): number {
  return nodes.length === 0 ? otherwise : nodes.reduce((sum, node) => sum + (y[node] ?? 0), 0) / nodes.length;
}

/** How many columns all links pass through: each costs the careful layout one node. */
export function passedColumns({ large, links }: LayoutRequest): number {
  const depths = depthsOf(large.length, links.map(([parent, child]) => ({ parent, child, requiresSuccess: true })));
  return links.reduce((sum, [parent, child]) => sum + (depths[child] ?? 0) - (depths[parent] ?? 0) - 1, 0);
}
