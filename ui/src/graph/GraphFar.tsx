// SPDX-License-Identifier: Apache-2.0
import { memo } from 'react';
import type { State } from '../parts/states';
import type { Highlight } from './critical';
import type { Face } from './faces';
import css from './Graph.module.css';
import type { Rect } from './view';

interface Props {
  readonly faces: readonly Face[];
  readonly boxes: readonly Rect[];
  readonly critical: Highlight | null;
}

/** Nodes seen from far away: one path of rectangles for each state, in its strong colour. */
export const FarNodes = memo(function FarNodes({ faces, boxes, critical }: Props) {
  const paths = new Map<string, { state: State; dim: boolean; path: string }>();
  faces.forEach(({ state }, i) => {
    const dim = critical !== null && !critical.nodes.has(i);
    const { left, top, right, bottom } = boxes[i] as Rect;
    const key = `${state} ${dim}`;
    const known = paths.get(key);
    const path = `${known?.path ?? ''}M${left} ${top}H${right}V${bottom}H${left}z`;
    paths.set(key, { state, dim, path });
  });
  return (
    <g aria-hidden="true">
      {[...paths].map(([key, { state, dim, path }]) => (
        <path key={key} className={`${css.dot} ${css[state]} ${dim ? css.dim : ''}`} d={path} />
      ))}
    </g>
  );
});
