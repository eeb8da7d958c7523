// SPDX-License-Identifier: Apache-2.0
import { Ban, CircleCheck, CirclePlay, CircleX, Flag } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { useRef, useState } from 'react';
import { useWidth } from '../parts/useWidth';
import { clockOf, count, duration, exact } from '../parts/when';
import { layOut, placeOf } from './spans';
import type { Box, Run, Scale, Segment } from './spans';
import css from './Timeline.module.css';
import { segmentWords } from './words';

const BAR = 22;
const ICON = 14;
const HEIGHT = 62;

interface Props {
  readonly segments: readonly Segment[];
  readonly now: number;
  readonly onExpand: () => void;
  /** Loads some of the earlier attempts; null while that goes on. */
  readonly onEarlier?: (() => void) | null;
  /** When the task gives up, if that is known. */
  readonly givesUp?: number | null;
}

/** Attempts as bars, waits as dashes with their length, and the next attempt as an outline. */
export function Timeline({ segments, now, onExpand, onEarlier = null, givesUp = null }: Props) {
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
        {segments.some((segment) => segment.type === 'fold' && !segment.earlier) && <button type="button" onClick={onExpand}>Show all</button>}
        {segments.some((segment) => segment.type === 'fold' && segment.earlier) && (
          <button type="button" disabled={onEarlier === null} onClick={() => onEarlier?.()}>Show earlier attempts</button>
        )}
      </div>
      <div ref={frame} className={css.frame}>
        <svg width={width} height={HEIGHT} aria-hidden="true">
          {segments.map((segment, i) => (
            <Part key={`${segment.type} ${segment.from}`} segment={segment} box={boxes[i] as Box} room={roomFor(i, boxes)} now={now} />
          ))}
          {nowAt !== null && <line className={css.now} x1={nowAt} x2={nowAt} y1={0} y2={BAR + 6} />}
        </svg>
      </div>
      {givesUp !== null && givesUp > now && (
        <p className={css.end}><Flag size={14} strokeWidth={1.75} aria-hidden="true" /> Gives up by {clockOf(givesUp, { now, seconds: true })}</p>
      )}
      <ol className={css.list} aria-label="Attempts and waits">
        {segments.map((segment) => <li key={`${segment.type} ${segment.from}`}>{segmentWords(segment)}</li>)}
      </ol>
    </>
  );
}

interface PartProps {
  readonly segment: Segment;
  readonly box: Box;
  /** The width that a label under the bar may take. */
  readonly room: number;
  readonly now: number;
}

function Part({ segment, box, room, now }: PartProps) {
  const middle = box.x + box.width / 2;
  const length = duration(segment.to - segment.from);
  const tip = <title>{`${segmentWords(segment)} ${exact(segment.from)}`}</title>;
  if (segment.type === 'wait') {
    return (
      <g>
        {tip}
        <line className={css.wait} x1={box.x + 2} x2={box.x + box.width - 2} y1={BAR / 2 + 3} y2={BAR / 2 + 3} />
        {fits(length, box.width) && <text className={css.length} x={middle} y={BAR / 2 - 2}>{length}</text>}
      </g>
    );
  }
  const time = clockFor(segment, now);
  const label = segment.type === 'run' ? runLabel(segment.label, length) : labelOf(segment);
  return (
    <g>
      {tip}
      <rect className={toneOf(segment)} x={box.x} y={3} width={Math.max(2, box.width)} height={BAR} rx={3} />
      {segment.type === 'planned' && segment.to > segment.from && (
        <rect className={css.expected} x={(placeOf(segment.at, [segment], [box]) ?? middle) - 3} y={3} width={6} height={BAR} rx={2} />
      )}
      {segment.type === 'run' && segment.marks.map((mark) => (
        <circle key={mark.at} className={css.mark} cx={placeOf(mark.at, [segment], [box]) ?? middle} cy={3 + BAR / 2} r={3} />
      ))}
      {segment.type === 'run' && segment.marks.length === 0 && box.width > ICON + 4 && <OutcomeIcon run={segment} x={middle - ICON / 2} />}
      {fits(label, room) && <text className={css.label} x={middle} y={BAR + 18}>{label}</text>}
      {time !== null && fits(time, room) && <text className={css.clock} x={middle} y={BAR + 34}>{time}</text>}
    </g>
  );
}

/** When an attempt begins; "about" if the plan does not know it exactly. */
function clockFor(segment: Segment, now: number): string | null {
  if (segment.type === 'run') return clockOf(segment.from, { now, seconds: true });
  if (segment.type !== 'planned') return null;
  return `${segment.to > segment.from ? '~' : ''}${clockOf(segment.at, { now, seconds: true })}`;
}

function runLabel(label: string, length: string): string {
  return label === '' ? length : `${label} · ${length}`;
}

function labelOf(segment: Segment): string {
  if (segment.type === 'fold') return `${count(segment.attempts)} ${segment.earlier ? 'earlier' : 'more'}`;
  return segment.type === 'planned' ? `attempt ${segment.attempt}` : '';
}

/** Under a bar, half of the waits at both sides is free too; at the ends of the line there is none. */
function roomFor(index: number, boxes: readonly Box[]): number {
  const beside = Math.min(boxes[index - 1]?.width ?? 0, boxes[index + 1]?.width ?? 0);
  return (boxes[index]?.width ?? 0) + beside;
}

/** 6.5 px a character is an upper bound for the 12 px text of most fonts. */
function fits(text: string, width: number): boolean {
  return text.length * 6.5 <= width;
}

/** Tells the outcome without colour. */
function OutcomeIcon({ run, x }: { readonly run: Run; readonly x: number }) {
  const Icon = iconOf(run.outcome);
  return <Icon className={css.icon ?? ''} x={x} y={3 + (BAR - ICON) / 2} size={ICON} strokeWidth={1.75} />;
}

function iconOf(outcome: Run['outcome']): LucideIcon {
  if (outcome === 'success' || outcome === 'resolved') return CircleCheck;
  if (outcome === 'failure') return CircleX;
  return outcome === 'running' ? CirclePlay : Ban;
}

function toneOf(segment: Segment): string | undefined {
  if (segment.type === 'planned') return css.planned;
  if (segment.type === 'fold' || segment.type === 'wait') return css.folded;
  if (segment.outcome === 'success' || segment.outcome === 'resolved') return css.success;
  if (segment.outcome === 'failure') return css.failure;
  return segment.outcome === 'running' ? css.running : css.other;
}
