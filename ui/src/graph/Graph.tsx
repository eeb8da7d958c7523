// SPDX-License-Identifier: Apache-2.0
import { useEffect, useMemo, useRef, useState } from 'react';
import type { KeyboardEvent, MouseEvent } from 'react';
import { count } from '../parts/when';
import { useKeyWords } from '../shell/useKeys';
import type { Highlight } from './critical';
import type { Face } from './faces';
import type { FoldedLink } from './fold';
import css from './Graph.module.css';
import { GraphEdges, heightOf, widthOf } from './GraphEdges';
import { FarNodes } from './GraphFar';
import { GraphNode } from './GraphNode';
import type { Layout } from './layout';
import { fitView, useView, zoomView } from './useView';
import { overlaps, pan, reveal } from './view';
import type { Rect } from './view';
import { isStep, walk } from './walk';

const KEYS = [
  ...['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'].map((key) => ({ key, words: 'In the graph: follow the links' })),
  ...['+', '-', '0'].map((key) => ({ key, words: 'In the graph: zoom, or show everything' })),
  { key: 'Enter', words: 'In the graph: expand, or open the task' },
];

interface Props {
  readonly faces: readonly Face[];
  readonly links: readonly FoldedLink[];
  readonly layout: Layout;
  /** The index of the selected node, or -1. */
  readonly selected: number;
  readonly critical: Highlight | null;
  readonly onSelect: (index: number | null) => void;
  /** Enter or double click: opens a task, expands a fold. */
  readonly onOpen: (index: number) => void;
  /** Esc: folds again what was expanded, else deselects. */
  readonly onClose: () => void;
}

const ZOOM_STEP = 1.25;

export function Graph({ faces, links, layout, selected, critical, onSelect, onOpen, onClose }: Props) {
  useKeyWords(KEYS);
  const svg = useRef<SVGSVGElement>(null);
  const drawing = useRef<SVGGElement>(null);
  const { frame, change, pointAt } = useView(svg, drawing, layout);
  const [focused, setFocused] = useState(0);
  const current = selected >= 0 ? selected : Math.min(focused, faces.length - 1);
  const boxes = useMemo(() => faces.map((face, i) => boxOf(face, layout, i)), [faces, layout]);
  const shown = useMemo(() => (frame.far ? [] : boxes.flatMap((box, i) => (overlaps(box, frame.rect) ? [i] : []))), [boxes, frame]);
  // The selected node is always drawn, so that it keeps the focus.
  const drawn = shown.includes(current) || faces.length === 0 ? shown : [...shown, current];

  useKeptPlace(faces[current]?.key, boxes[current], change);

  // A selection from elsewhere, such as a link or the search, is brought on screen.
  useEffect(() => {
    const box = boxes[selected];
    if (box) change((view, screen) => reveal(view, box, screen));
  }, [selected, change]);

  const go = (index: number) => {
    setFocused(index);
    onSelect(index);
    requestAnimationFrame(() => svg.current?.querySelector<SVGGElement>(`[data-node="${index}"]`)?.focus());
  };
  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (isStep(event.key)) go(walk(current, event.key, layout, links));
    else if (event.key === '+' || event.key === '=') change(zoomView(ZOOM_STEP));
    else if (event.key === '-') change(zoomView(1 / ZOOM_STEP));
    else if (event.key === '0') change(fitView(layout));
    else if (event.key === 'Enter') onOpen(current);
    else if (event.key === ' ') onSelect(current);
    else if (event.key === 'Escape') onClose();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const nodeAt = (event: MouseEvent): number | null => {
    const own = (event.target as Element).closest('[data-node]')?.getAttribute('data-node');
    if (own !== null && own !== undefined) return Number(own);
    const { x, y } = pointAt(event.clientX, event.clientY);
    const hit = boxes.findIndex(({ left, right, top, bottom }) => x >= left && x <= right && y >= top && y <= bottom);
    return hit < 0 ? null : hit;
  };

  return (
    <div className={css.frame}>
      <svg
        ref={svg} className={css.canvas} role="group" aria-label={`Graph with ${count(faces.length)} nodes. Arrow keys follow the links.`}
        onKeyDown={press} onClick={(event) => onSelect(nodeAt(event))}
        onDoubleClick={(event) => { const index = nodeAt(event); if (index !== null) onOpen(index); }}
      >
        <g ref={drawing}>
          <GraphEdges links={links} faces={faces} layout={layout} rect={frame.rect} far={frame.far} scale={frame.scale} critical={critical} />
          {frame.far && <FarNodes faces={faces} boxes={boxes} critical={critical} />}
          {drawn.map((index) => (
            <GraphNode
              key={faces[index]?.key} index={index} face={faces[index] as Face} x={layout.x[index] ?? 0} y={layout.y[index] ?? 0}
              selected={index === selected} reachable={index === current} dim={critical !== null && !critical.nodes.has(index)}
            />
          ))}
          {frame.far && boxes[selected] && <Ring box={boxes[selected]} />}
        </g>
      </svg>
      {frame.far && <p className={css.hint}>Zoom in to read the tasks.</p>}
      <div className={css.zoom} role="group" aria-label="Zoom">
        <button type="button" aria-label="Zoom out" title="Zoom out (-)" onClick={() => change(zoomView(1 / ZOOM_STEP))}>−</button>
        <output>{Math.round(frame.scale * 100)} %</output>
        <button type="button" aria-label="Zoom in" title="Zoom in (+)" onClick={() => change(zoomView(ZOOM_STEP))}>+</button>
        <button type="button" title="Show everything (0)" onClick={() => change(fitView(layout))}>Fit</button>
      </div>
    </div>
  );
}

function Ring({ box }: { readonly box: Rect }) {
  return <rect className={css.ring} x={box.left - 8} y={box.top - 8} width={box.right - box.left + 16} height={box.bottom - box.top + 16} />;
}

function boxOf(face: Face, layout: Layout, index: number): Rect {
  const x = layout.x[index] ?? 0;
  const y = layout.y[index] ?? 0;
  const width = widthOf(face) / 2;
  const height = heightOf(face) / 2;
  return { left: x - width, right: x + width, top: y - height, bottom: y + height };
}

/** When a new layout moves the node that somebody looks at, the view moves with it. */
function useKeptPlace(key: string | undefined, box: Rect | undefined, change: ReturnType<typeof useView>['change']): void {
  const last = useRef<{ key: string | undefined; box: Rect | undefined }>({ key, box });
  useEffect(() => {
    const { key: before, box: old } = last.current;
    last.current = { key, box };
    if (before !== key || !old || !box || (old.left === box.left && old.top === box.top)) return;
    change((view) => pan(view, (old.left - box.left) * view.scale, (old.top - box.top) * view.scale));
  });
}
