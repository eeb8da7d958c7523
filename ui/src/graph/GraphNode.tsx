// SPDX-License-Identifier: Apache-2.0
import { Layers } from 'lucide-react';
import { memo } from 'react';
import { STATE_ICONS } from '../parts/Badge';
import { useNow } from '../parts/When';
import { count } from '../parts/when';
import { faceWords, foldLine, stateLine } from './faces';
import type { Face } from './faces';
import css from './Graph.module.css';
import { heightOf, widthOf } from './GraphEdges';

interface Props {
  readonly index: number;
  readonly face: Face;
  readonly x: number;
  readonly y: number;
  readonly selected: boolean;
  /** Only one node takes part in the order of Tab; the arrows lead to the others. */
  readonly reachable: boolean;
  readonly dim: boolean;
}

/** About what fits: 7 px a character at 13 px, 6.2 px at 12 px. */
function cut(text: string, width: number, each: number): string {
  const most = Math.floor(width / each);
  return text.length <= most ? text : `${text.slice(0, Math.max(1, most - 1))}…`;
}

export const GraphNode = memo(function GraphNode({ index, face, x, y, selected, reachable, dim }: Props) {
  const now = useNow(face.task?.nextRetryAt ?? face.task?.startedAt ?? 0);
  const width = widthOf(face);
  const height = heightOf(face);
  const name = faceWords(face, now);
  const Icon = face.task ? STATE_ICONS[face.state] : Layers;
  const size = count(face.size);
  return (
    <g className={`${css.node} ${css[face.state]} ${dim ? css.dim : ''}`} transform={`translate(${x - width / 2} ${y - height / 2})`}>
      <g className={css.button} role="button" aria-label={name} aria-pressed={selected} tabIndex={reachable ? 0 : -1} data-node={index}>
        <title>{name}</title>
        {!face.task && <rect className={css.behind} x={4} y={4} width={width} height={height} rx={6} />}
        <rect className={css.box} width={width} height={height} rx={6} />
        <rect className={css.stripe} x={1} y={1} width={4} height={height - 2} rx={2} />
      </g>
      {/* Not in the button, whose name says it all in words. */}
      <g className={css.texts} aria-hidden="true">
        <Icon className={css.icon ?? ''} x={12} y={face.task ? 14 : 8} size={16} strokeWidth={1.75} />
        <text className={css.name} x={36} y={face.task ? 18 : 21}>{cut(face.title, width - 44 - (face.task ? 0 : 14 + size.length * 7), 7)}</text>
        {face.task
          ? <text className={css.line} x={36} y={34}>{cut(stateLine(face.task, now), width - 42, 6.2)}</text>
          : (
            <>
              <text className={css.size} x={width - 10} y={21}>× {size}</text>
              <Bar face={face} width={width - 22} />
              <text className={css.line} x={12} y={56}>{cut(foldLine(face), width - 20, 6.2)}</text>
            </>
          )}
      </g>
    </g>
  );
});

function Bar({ face, width }: { readonly face: Face; readonly width: number }) {
  const least = 2;
  const free = width - least * face.parts.length;
  let x = 12;
  return face.parts.map(({ state, count: number }) => {
    const at = x;
    const wide = least + (free * number) / face.size;
    x += wide;
    return <rect key={state} className={`${css.piece} ${css[state]}`} x={at} y={31} width={wide} height={9} />;
  });
}
