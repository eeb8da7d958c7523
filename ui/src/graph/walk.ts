// SPDX-License-Identifier: Apache-2.0
// Walking through a graph by keys: right and left follow links, up and down stay in the column.
import type { Layout } from './layout';

export type Step = 'ArrowRight' | 'ArrowLeft' | 'ArrowUp' | 'ArrowDown' | 'Home' | 'End';

export function isStep(key: string): key is Step {
  return ['ArrowRight', 'ArrowLeft', 'ArrowUp', 'ArrowDown', 'Home', 'End'].includes(key);
}

interface Ends {
  readonly parent: number;
  readonly child: number;
}

/** The node that a key leads to; the same node if there is none in that direction. */
export function walk(from: number, step: Step, layout: Pick<Layout, 'x' | 'y'>, links: readonly Ends[]): number {
  const { x, y } = layout;
  const all = x.map((_, index) => index);
  if (step === 'Home') return nearest(all, (index) => (x[index] ?? 0) * 1e6 + (y[index] ?? 0)) ?? from;
  if (step === 'End') return nearest(all, (index) => -((x[index] ?? 0) * 1e6 + (y[index] ?? 0))) ?? from;
  const here = y[from] ?? 0;
  const apart = (index: number) => Math.abs((y[index] ?? 0) - here);
  if (step === 'ArrowRight') return nearest(links.filter((link) => link.parent === from).map((link) => link.child), apart) ?? from;
  if (step === 'ArrowLeft') return nearest(links.filter((link) => link.child === from).map((link) => link.parent), apart) ?? from;
  const sign = step === 'ArrowDown' ? 1 : -1;
  // Nodes of a column have the same left edge or the same centre, whatever their widths.
  const column = all.filter((index) => Math.abs((x[index] ?? 0) - (x[from] ?? 0)) < 40 && ((y[index] ?? 0) - here) * sign > 0);
  return nearest(column, apart) ?? from;
}

function nearest(candidates: readonly number[], distance: (index: number) => number): number | undefined {
  let best: number | undefined;
  let least = Infinity;
  for (const index of candidates) {
    if (distance(index) >= least) continue;
    least = distance(index);
    best = index;
  }
  return best;
}
