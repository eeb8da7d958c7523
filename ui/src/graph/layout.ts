// SPDX-License-Identifier: Apache-2.0
// Places the nodes of a graph from left to right. Runs in a worker: 2,000 nodes take seconds.
import {
  coordGreedy, decrossTwoLayer, graph, layeringLongestPath, sugiyama, twolayerAgg,
} from 'd3-dag';
import { layOutSimply, passedColumns } from './simpleLayout';
import { LARGE, SMALL } from './sizes';

/** Indexes of nodes; `large` nodes are folds, which show a bar of states. */
export interface LayoutRequest {
  readonly large: readonly boolean[];
  /** Pairs of parent and child. */
  readonly links: readonly (readonly [number, number])[];
}

/** Whole pixels. `x` and `y` are centres; each link is its points, x and y in turn. */
export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly x: readonly number[];
  readonly y: readonly number[];
  readonly links: readonly (readonly number[])[];
}

const GAP_ACROSS = 20;
const GAP_ALONG = 72;
const PASSES = 4;
/** Each column that a link passes is a node for d3-dag. 2,000 tasks with 8,000 of them take it a minute. */
const MOST_PASSED = 2_000;

export function layOutGraph(request: LayoutRequest): Layout {
  const { large, links } = request;
  if (large.length === 0) return { width: 0, height: 0, x: [], y: [], links: [] };
  if (passedColumns(request) > MOST_PASSED) return layOutSimply(request, GAP_ACROSS, GAP_ALONG);
  const dag = graph<number, number>();
  const nodes = large.map((_, index) => dag.node(index));
  links.forEach(([parent, child], index) => {
    const from = nodes[parent];
    const to = nodes[child];
    if (from && to) dag.link(from, to, index);
  });
  const size = (index: number) => (large[index] ? LARGE : SMALL);
  // Layers run from top to bottom, so width and height are exchanged before and after.
  const place = sugiyama()
    .layering(layeringLongestPath())
    .decross(decrossTwoLayer().order(twolayerAgg()).passes(PASSES))
    .coord(coordGreedy())
    .nodeSize(({ data }: { data: number }) => [size(data).height, size(data).width] as const)
    .gap([GAP_ACROSS, GAP_ALONG]);
  const { width: height, height: width } = place(dag);
  const points: number[][] = links.map(() => []);
  for (const link of dag.links()) points[link.data] = link.points.flatMap(([across, along]) => [Math.round(along), Math.round(across)]);
  return {
    width: Math.round(width), height: Math.round(height), links: points,
    x: nodes.map((node) => Math.round(node.y)), y: nodes.map((node) => Math.round(node.x)),
  };
}
