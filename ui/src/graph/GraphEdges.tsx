// SPDX-License-Identifier: Apache-2.0
import { memo } from 'react';
import type { Highlight } from './critical';
import { arrowHead, clampAcross, edgePath, farPath, gridAt } from './edges';
import type { Face } from './faces';
import type { FoldedLink } from './fold';
import css from './Graph.module.css';
import type { Layout } from './layout';
import { LARGE, SMALL } from './sizes';
import { boundsOf, overlaps } from './view';
import type { Rect } from './view';

interface Props {
  readonly links: readonly FoldedLink[];
  readonly faces: readonly Face[];
  readonly layout: Layout;
  readonly rect: Rect;
  readonly far: boolean;
  readonly scale: number;
  readonly critical: Highlight | null;
}

const ENDED = new Set(['Success', 'Failure', 'Canceled']);

/** Links as a few paths: strong once the parent has ended, dotted if they do not require success. */
export const GraphEdges = memo(function GraphEdges({ links, faces, layout, rect, far, scale, critical }: Props) {
  if (far) return <FarEdges layout={layout} grid={gridAt(scale)} critical={critical} />;
  // Sets, because many links to places off screen are the same line once they are cut.
  const paths = new Map<string, Set<string>>();
  const add = (tone: string, path: string) => paths.set(tone, (paths.get(tone) ?? new Set()).add(path));
  links.forEach(({ parent, child, requiresSuccess }, i) => {
    const whole = layout.links[i];
    if (!whole || whole.length < 4 || !overlaps(boundsIn(layout)[i] as Rect, rect)) return;
    const points = clampAcross(whole, rect);
    const tone = critical?.links.has(i) ? 'critical' : `${told(faces[parent]) ? 'told' : 'open'} ${requiresSuccess ? 'solid' : 'dotted'}`;
    const childHalf = widthOf(faces[child]) / 2;
    add(tone, edgePath(points, widthOf(faces[parent]) / 2, childHalf + 5));
    if (points.at(-1) === whole.at(-1)) add(`${tone} head`, arrowHead((points.at(-2) as number) - childHalf, points.at(-1) as number));
  });
  return (
    <g className={critical ? css.dimmed : undefined} aria-hidden="true">
      {[...paths].map(([tone, path]) => (
        <path key={tone} className={`${css.edge} ${tone.split(' ').map((word) => css[word]).join(' ')}`} d={[...path].join('')} />
      ))}
    </g>
  );
});

/** All links at once, so that moving the view draws nothing anew. */
const FarEdges = memo(function FarEdges({ layout, grid, critical }: Pick<Props, 'layout' | 'critical'> & { readonly grid: number }) {
  const path = (links: readonly (readonly number[])[]) => [...new Set(links.map((points) => farPath(points, grid)))].join('');
  const all = layout.links.filter((points) => points.length >= 4);
  const thick = layout.links.filter((points, i) => points.length >= 4 && critical?.links.has(i));
  return (
    <g className={critical ? css.dimmed : undefined} aria-hidden="true">
      <path className={`${css.edge} ${css.farEdge}`} d={path(all)} />
      {thick.length > 0 && <path className={`${css.edge} ${css.critical} ${css.farEdge}`} d={path(thick)} />}
    </g>
  );
});

/** The box of each link, computed once for each layout: it is needed whenever the view moves far. */
const bounds = new WeakMap<Layout, readonly Rect[]>();

function boundsIn(layout: Layout): readonly Rect[] {
  const known = bounds.get(layout) ?? layout.links.map(boundsOf);
  bounds.set(layout, known);
  return known;
}

/** Whether the children know how it ended. */
function told(face: Face | undefined): boolean {
  return face?.parts.every(({ state }) => ENDED.has(state)) ?? false;
}

export function widthOf(face: Face | undefined): number {
  return face?.task === null ? LARGE.width : SMALL.width;
}

export function heightOf(face: Face | undefined): number {
  return face?.task === null ? LARGE.height : SMALL.height;
}
