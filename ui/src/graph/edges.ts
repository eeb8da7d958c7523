// SPDX-License-Identifier: Apache-2.0
// Links as paths. Many links share one path element, which is much cheaper than one element each.

/** A smooth line from the right edge of the parent to the left edge of the child. */
export function edgePath(points: readonly number[], half: number, childHalf: number): string {
  const last = points.length - 2;
  let path = '';
  for (let i = 0; i <= last; i += 2) {
    const x = (points[i] as number) + (i === 0 ? half : i === last ? -childHalf : 0);
    const y = points[i + 1] as number;
    if (i === 0) {
      path = `M${x} ${y}`;
      continue;
    }
    const fromX = (points[i - 2] as number) + (i === 2 ? half : 0);
    const middle = Math.round((fromX + x) / 2);
    path += `C${middle} ${points[i - 1]} ${middle} ${y} ${x} ${y}`;
  }
  return path;
}

/** A straight line on a grid, for views in which neither a curve nor the grid could be seen. */
export function farPath(points: readonly number[], grid: number): string {
  const at = (i: number) => Math.round((points[i] as number) / grid) * grid;
  let path = `M${at(0)} ${at(1)}`;
  for (let i = 2; i + 1 < points.length; i += 2) path += `L${at(i)} ${at(i + 1)}`;
  return path;
}

/** About three pixels of the screen, as a power of two, so that it changes only now and then while zooming. */
export function gridAt(scale: number): number {
  return 2 ** Math.round(Math.log2(3 / scale));
}

/** The head of an arrow that points to the right. */
export function arrowHead(x: number, y: number): string {
  return `M${x} ${y}l-7 -4v8z`;
}

/** How far beyond the drawn part a link is followed, as a share of its height. */
const BEYOND = 2;

/**
 * Moves points that are far above or below the drawn part nearer. Of a fan of 2,000, most links
 * then become the same line, and drawing that once is a hundred times cheaper.
 */
export function clampAcross(points: readonly number[], { top, bottom }: { readonly top: number; readonly bottom: number }): readonly number[] {
  const room = (bottom - top) * BEYOND;
  const least = Math.round(top - room);
  const most = Math.round(bottom + room);
  if (points.every((value, i) => i % 2 === 0 || (value >= least && value <= most))) return points;
  return points.map((value, i) => (i % 2 === 0 ? value : Math.min(most, Math.max(least, value))));
}
