// SPDX-License-Identifier: Apache-2.0
import { useEffect, useRef, useState } from 'react';
import { duration, exact } from '../parts/when';
import { layOut, placeOf } from './spans';
import type { Box, Scale, Segment } from './spans';
import css from './Timeline.module.css';
import { segmentWords } from './words';

const BAR = 22;
const HEIGHT = 58;

interface Props {
  readonly segments: readonly Segment[];
  readonly now: number;
  readonly onExpand: () => void;
}

/** Attempts as bars, waits as dashes with their length, and the next attempt as an outline. */
export function Timeline({ segments, now, onExpand }: Props) {
  const [scale, setScale] = useState<Scale>('log');
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const boxes = layOut(segments, width, scale);
  const nowAt = placeOf(now, segments, boxes);
  return (
    <>
      <div className={css.heading}>
        <h2>Attempts</h2>
        <label className={css.scale}>
          <input
            type="checkbox" checked={scale === 'linear'}
            onChange={(event) => setScale(event.target.checked ? 'linear' : 'log')}
          />
          To scale
        </label>
        {segments.some((segment) => segment.type === 'fold') && <button type="button" onClick={onExpand}>Show all</button>}
      </div>
      <div ref={frame} className={css.frame}>
        <svg width={width} height={HEIGHT} aria-hidden="true">
          {segments.map((segment, i) => <Part key={`${segment.type} ${segment.from}`} segment={segment} box={boxes[i] as Box} />)}
          {nowAt !== null && <line className={css.now} x1={nowAt} x2={nowAt} y1={0} y2={BAR + 6} />}
        </svg>
      </div>
      <ol className={css.list} aria-label="Attempts and waits">
        {segments.map((segment) => <li key={`${segment.type} ${segment.from}`}>{segmentWords(segment)}</li>)}
      </ol>
    </>
  );
}

function Part({ segment, box }: { readonly segment: Segment; readonly box: Box }) {
  const middle = box.x + box.width / 2;
  const length = duration(segment.to - segment.from);
  const tip = <title>{`${segmentWords(segment)} ${exact(segment.from)}`}</title>;
  if (segment.type === 'wait') {
    return (
      <g>
        {tip}
        <line className={css.wait} x1={box.x + 2} x2={box.x + box.width - 2} y1={BAR / 2 + 3} y2={BAR / 2 + 3} />
        {fits(length, box) && <text className={css.length} x={middle} y={BAR / 2 - 2}>{length}</text>}
      </g>
    );
  }
  const label = segment.type === 'run' ? runLabel(segment.label, length) : labelOf(segment);
  return (
    <g>
      {tip}
      <rect className={toneOf(segment)} x={box.x} y={3} width={Math.max(2, box.width)} height={BAR} rx={3} />
      {segment.type === 'run' && segment.marks.map((mark) => (
        <circle key={mark.at} className={css.mark} cx={placeOf(mark.at, [segment], [box]) ?? middle} cy={3 + BAR / 2} r={3} />
      ))}
      {fits(label, box) && <text className={css.label} x={middle} y={BAR + 18}>{label}</text>}
    </g>
  );
}

function runLabel(label: string, length: string): string {
  return label === '' ? length : `${label} · ${length}`;
}

function labelOf(segment: Segment): string {
  if (segment.type === 'fold') return `${segment.attempts} more`;
  return segment.type === 'planned' ? `attempt ${segment.attempt}` : '';
}

/** 6.5 px a character is an upper bound for the 12 px text of most fonts. */
function fits(text: string, box: Box): boolean {
  return text.length * 6.5 <= box.width;
}

function toneOf(segment: Segment): string | undefined {
  if (segment.type === 'planned') return css.planned;
  if (segment.type === 'fold' || segment.type === 'wait') return css.folded;
  if (segment.outcome === 'success' || segment.outcome === 'resolved') return css.success;
  if (segment.outcome === 'failure') return css.failure;
  return segment.outcome === 'running' ? css.running : css.other;
}

function useWidth(frame: React.RefObject<HTMLDivElement | null>): number {
  const [width, setWidth] = useState(640);
  useEffect(() => {
    const element = frame.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => setWidth(Math.max(120, element.clientWidth)));
    observer.observe(element);
    return () => observer.disconnect();
  }, [frame]);
  return width;
}
