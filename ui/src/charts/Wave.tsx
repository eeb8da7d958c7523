// SPDX-License-Identifier: Apache-2.0
import { useRef, useState } from 'react';
import type { KeyboardEvent, PointerEvent } from 'react';
import { count } from '../parts/when';
import { useWidth } from '../parts/useWidth';
import { useNow, When } from '../parts/When';
import { barsOf, barWords, clock, peakOf, spanOf, ticksOf, topOf, totalsOf, waveSentence } from './wave';
import type { Bar, Span, WaveData, WaveWindow } from './wave';
import css from './Wave.module.css';
import { WaveTable } from './WaveTable';

const TOP = 18;
const AXIS = 20;
/** Where the retries stand that are due already, left of now. */
const DUE = 44;
const OLD_MS = 10_000;

interface Props {
  readonly wave: WaveData;
  readonly window: WaveWindow;
  readonly height?: number;
  /** When the next retry is due, which can be after the window. */
  readonly next?: string | null;
  /** The part of the window that is chosen. */
  readonly chosen?: Span | null;
  /** Called with the part that was dragged over, clicked, or chosen with Enter; null to choose nothing. */
  readonly onChoose?: (span: Span | null) => void;
}

/** The retries to come as bars, with a sentence that says the same. */
export function Wave({ wave, window, height = 160, next, chosen = null, onChoose }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const [cursor, setCursor] = useState<number | null>(null);
  const [anchor, setAnchor] = useState<number | null>(null);
  const [asTable, setAsTable] = useState(false);
  const bars = barsOf(wave);
  const step = (width - DUE) / bars.length;
  const current = cursor === null ? undefined : bars[cursor];
  const dragged = anchor === null || cursor === null ? null : spanOf(bars, anchor, cursor);

  const indexAt = (event: PointerEvent<SVGSVGElement>) => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left - DUE;
    return Math.min(bars.length - 1, Math.max(0, Math.floor(x / step)));
  };
  const choose = (from: number, to: number) => onChoose?.(spanOf(bars, from, to));
  const press = (event: KeyboardEvent) => {
    const moved = moveCursor(event.key, cursor, bars.length);
    if (moved !== null) {
      setAnchor(event.shiftKey ? anchor ?? cursor ?? moved : null);
      setCursor(moved);
    } else if (event.key === 'Enter' && cursor !== null) {
      choose(anchor ?? cursor, cursor);
      setAnchor(null);
    } else if (event.key === 'Escape') {
      onChoose?.(null);
      setAnchor(null);
      setCursor(null);
    } else return;
    event.preventDefault();
  };

  return (
    <figure className={css.wave}>
      <figcaption className={css.caption}>
        <p>{waveSentence(wave, window, undefined, next)} <Counted at={wave.now} /></p>
        <button type="button" className={css.switch} onClick={() => setAsTable(!asTable)}>
          {asTable ? 'Show as chart' : 'Show as table'}
        </button>
      </figcaption>
      {asTable ? <WaveTable wave={wave} bars={bars} /> : (
        <>
          <div
            ref={frame} className={css.frame} role="group" tabIndex={0} onKeyDown={press} onBlur={() => setCursor(null)}
            aria-label={onChoose ? 'Retries to come. Arrow keys move, Shift extends, Enter chooses a window.' : 'Retries to come. Arrow keys move.'}
          >
            <svg
              className={css.chart} width={width} height={height} role="img" aria-label={waveSentence(wave, window, undefined, next)}
              onPointerDown={(event) => {
                if (!onChoose || event.button !== 0) return;
                event.currentTarget.setPointerCapture?.(event.pointerId);
                setAnchor(indexAt(event));
                setCursor(indexAt(event));
              }}
              onPointerMove={(event) => setCursor(indexAt(event))}
              onPointerUp={(event) => {
                if (anchor !== null) choose(anchor, indexAt(event));
                setAnchor(null);
              }}
              onPointerCancel={() => setAnchor(null)}
              onPointerLeave={() => anchor === null && setCursor(null)}
            >
              <Plot wave={wave} bars={bars} width={width} height={height} cursor={cursor} span={dragged ?? chosen} />
            </svg>
          </div>
          <p className={css.words} aria-live="polite">
            {current ? barWords(current) : <Totals wave={wave} />}
          </p>
        </>
      )}
    </figure>
  );
}

/** Where a key moves the cursor; null if it is not a key that does. */
function moveCursor(key: string, cursor: number | null, length: number): number | null {
  if (key === 'ArrowRight') return cursor === null ? 0 : Math.min(length - 1, cursor + 1);
  if (key === 'ArrowLeft') return cursor === null ? length - 1 : Math.max(0, cursor - 1);
  if (key === 'Home') return 0;
  return key === 'End' ? length - 1 : null;
}

/** The server keeps its answer for a while: says how old it is, once that matters. */
function Counted({ at }: { readonly at: string }) {
  const now = useNow(Date.parse(at));
  return now - Date.parse(at) > OLD_MS && <span className={css.counted}>Counted <When at={at} />.</span>;
}

interface PlotProps {
  readonly wave: WaveData;
  readonly bars: readonly Bar[];
  readonly width: number;
  readonly height: number;
  readonly cursor: number | null;
  readonly span: Span | null;
}

function Plot({ wave, bars, width, height, cursor, span }: PlotProps) {
  const step = (width - DUE) / bars.length;
  const bottom = height - AXIS;
  const top = topOf(wave);
  const y = (value: number) => bottom - ((bottom - TOP) * Math.min(value, top)) / top;
  const begin = bars[0]?.from ?? 0;
  const x = (at: number) => DUE + Math.min(bars.length, Math.max(0, (at - begin) / wave.step_ms)) * step;
  const nowAt = x(Date.parse(wave.now));
  const peak = peakOf(bars);
  return (
    <>
      {span && <rect className={css.chosen} x={x(span.from)} y={TOP - 6} width={Math.max(1, x(span.to) - x(span.from))} height={bottom - TOP + 6} />}
      {cursor !== null && <rect className={css.cursor} x={DUE + cursor * step} y={TOP - 6} width={step} height={bottom - TOP + 6} />}
      <line className={css.axis} x1={0} x2={width} y1={bottom} y2={bottom} />
      {bars.map((bar, i) => <Stack key={bar.from} bar={bar} x={DUE + i * step} width={step} y={y} />)}
      {wave.overdue > 0 && (
        <>
          <rect className={css.overdue} x={8} y={y(wave.overdue)} width={DUE - 20} height={bottom - y(wave.overdue)} rx={2} />
          <text className={css.number} x={DUE / 2 - 2} y={y(wave.overdue) - 4} textAnchor="middle">{count(wave.overdue)}</text>
          <text className={css.tick} x={DUE / 2 - 2} y={height - 5} textAnchor="middle">due</text>
        </>
      )}
      {typeof wave.usual === 'number' && wave.usual > 0 && (
        <>
          <line className={css.usual} x1={DUE} x2={width} y1={y(wave.usual)} y2={y(wave.usual)} />
          <text className={css.tick} x={width - 2} y={y(wave.usual) - 4} textAnchor="end">usual load</text>
        </>
      )}
      <line className={css.now} x1={nowAt} x2={nowAt} y1={4} y2={bottom + 4} />
      <text className={css.tick} x={nowAt} y={height - 5}>now</text>
      {ticksOf(bars, Math.floor(width / 90)).filter(({ index }) => DUE + index * step > nowAt + 48).map(({ index, label }) => (
        <text key={index} className={css.tick} x={DUE + index * step} y={height - 5} textAnchor="middle">{label}</text>
      ))}
      {peak && (
        <text
          className={css.number} y={y(peak.count) - 4} x={Math.min(width - 4, DUE + (bars.indexOf(peak) + 0.5) * step)}
          textAnchor={bars.indexOf(peak) > bars.length * 0.8 ? 'end' : bars.indexOf(peak) < 2 ? 'start' : 'middle'}
        >
          {`${wave.estimated ? 'about ' : ''}${count(peak.count)} at ${clock(peak.from, wave.step_ms)}`}
        </text>
      )}
    </>
  );
}

interface StackProps {
  readonly bar: Bar;
  readonly x: number;
  readonly width: number;
  readonly y: (value: number) => number;
}

function Stack({ bar, x, width, y }: StackProps) {
  const gap = width > 4 ? 1 : 0;
  let below = 0;
  return bar.parts.map((part) => {
    const from = y(below);
    below += part.count;
    const to = y(below);
    return <rect key={part.kind} className={css[`kind${part.rank}`]} x={x + gap / 2} y={to} width={Math.max(1, width - gap)} height={Math.max(1, from - to)} />;
  });
}

function Totals({ wave }: { readonly wave: WaveData }) {
  return totalsOf(wave).map(({ kind, rank, count: number }) => (
    <span key={kind} className={css.total}>
      <svg className={css[`kind${rank}`]} width={10} height={10} aria-hidden="true"><rect width={10} height={10} rx={2} /></svg>
      <bdi>{kind === '' ? 'other kinds' : kind}</bdi> {count(number)}
    </span>
  ));
}
