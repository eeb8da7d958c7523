// SPDX-License-Identifier: Apache-2.0
// Which part of the graph is on screen. A point of the graph is at `point * scale + offset`.

export interface View {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

export interface Rect {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export const LEAST_SCALE = 0.02;
export const MOST_SCALE = 2;
/** Below it, nodes are plain rectangles. */
export const FAR = 0.35;
const PADDING = 24;

export function clampScale(scale: number): number {
  return Math.min(MOST_SCALE, Math.max(LEAST_SCALE, scale));
}

/** Zooms so that the point of the screen under (x, y) stays where it is. */
export function zoomAt(view: View, factor: number, x: number, y: number): View {
  const scale = clampScale(view.scale * factor);
  const real = scale / view.scale;
  return { scale, x: x - (x - view.x) * real, y: y - (y - view.y) * real };
}

export function pan(view: View, dx: number, dy: number): View {
  return { ...view, x: view.x + dx, y: view.y + dy };
}

/** All of the graph, in the middle, never larger than life. */
export function fit(graph: Size, screen: Size): View {
  const width = Math.max(1, screen.width - 2 * PADDING);
  const height = Math.max(1, screen.height - 2 * PADDING);
  const scale = clampScale(Math.min(1, width / Math.max(1, graph.width), height / Math.max(1, graph.height)));
  return centred({ x: graph.width / 2, y: graph.height / 2 }, scale, screen);
}

/**
 * The view to begin with: all of a graph that can be read so, else its beginning at a size that
 * can be read.
 */
export function begin(graph: Size, screen: Size): View {
  const all = fit(graph, screen);
  if (all.scale >= FAR) return all;
  const scale = Math.min(1, Math.max(0.75, (screen.height - 2 * PADDING) / Math.max(1, graph.height)));
  const tall = graph.height * scale > screen.height;
  return { scale, x: PADDING, y: tall ? screen.height / 2 - (graph.height / 2) * scale : (screen.height - graph.height * scale) / 2 };
}

export function centred(point: { readonly x: number; readonly y: number }, scale: number, screen: Size): View {
  return { scale, x: screen.width / 2 - point.x * scale, y: screen.height / 2 - point.y * scale };
}

/** Moves as little as needed to bring a box on screen. */
export function reveal(view: View, box: Rect, screen: Size): View {
  const shift = (from: number, to: number, room: number) => {
    if (to - from > room - 2 * PADDING) return PADDING - from;
    if (from < PADDING) return PADDING - from;
    return to > room - PADDING ? room - PADDING - to : 0;
  };
  const dx = shift(box.left * view.scale + view.x, box.right * view.scale + view.x, screen.width);
  const dy = shift(box.top * view.scale + view.y, box.bottom * view.scale + view.y, screen.height);
  return dx === 0 && dy === 0 ? view : pan(view, dx, dy);
}

/** The part of the graph on screen, with a margin of this share of the screen at each side. */
export function visible(view: View, screen: Size, margin = 0): Rect {
  const mx = screen.width * margin;
  const my = screen.height * margin;
  return {
    left: (-mx - view.x) / view.scale,
    top: (-my - view.y) / view.scale,
    right: (screen.width + mx - view.x) / view.scale,
    bottom: (screen.height + my - view.y) / view.scale,
  };
}

export function contains(outer: Rect, inner: Rect): boolean {
  return outer.left <= inner.left && outer.top <= inner.top && outer.right >= inner.right && outer.bottom >= inner.bottom;
}

export function overlaps(one: Rect, other: Rect): boolean {
  return one.left <= other.right && one.right >= other.left && one.top <= other.bottom && one.bottom >= other.top;
}

/** The box around a link's points. */
export function boundsOf(points: readonly number[]): Rect {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i + 1 < points.length; i += 2) {
    left = Math.min(left, points[i] as number);
    right = Math.max(right, points[i] as number);
    top = Math.min(top, points[i + 1] as number);
    bottom = Math.max(bottom, points[i + 1] as number);
  }
  return { left, top, right, bottom };
}
