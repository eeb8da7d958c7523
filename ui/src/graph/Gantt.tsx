// SPDX-License-Identifier: Apache-2.0
import { useEffect, useRef, useState } from 'react';
import type { KeyboardEvent, RefObject } from 'react';
import { duration, exact } from '../parts/when';
import { placeAt, ROW, ticksOf } from './gantt';
import type { GanttRow, Stretch } from './gantt';
import css from './Gantt.module.css';
import { Row } from './GanttRow';

const AXIS = 30;
/** Rows drawn above and below what is visible. */
const SPARE = 12;

interface Props {
  readonly rows: readonly GanttRow[];
  readonly axis: readonly Stretch[];
  readonly now: number;
  /** The node that is selected, or -1. */
  readonly selected: number;
  readonly live: boolean;
  readonly onSelect: (node: number | null) => void;
  readonly onOpen: (node: number) => void;
}

/** Rows with bars. Only the rows on screen are drawn. */
export function Gantt({ rows, axis, now, selected, live, onSelect, onOpen }: Props) {
  const scroll = useRef<HTMLDivElement>(null);
  const { top, height, width } = useWindow(scroll);
  const names = width < 600 ? 110 : 190;
  const room = Math.max(100, width - names - 16);
  const at = (time: number) => names + room * placeAt(time, axis);
  const first = Math.max(0, Math.floor((top - AXIS) / ROW) - SPARE);
  const last = Math.min(rows.length, Math.ceil((top + height) / ROW) + SPARE);
  const current = Math.max(0, rows.findIndex(({ node }) => node === selected));
  const tall = rows.length * ROW + 8;

  useEffect(() => {
    const element = scroll.current;
    const y = current * ROW + AXIS;
    if (!element || selected < 0) return;
    if (y < element.scrollTop + AXIS) element.scrollTop = y - AXIS;
    else if (y + ROW > element.scrollTop + element.clientHeight) element.scrollTop = y + ROW - element.clientHeight;
  }, [selected, current]);

  const press = (event: KeyboardEvent) => {
    const next = { ArrowDown: current + 1, ArrowUp: current - 1, Home: 0, End: rows.length - 1 }[event.key];
    const row = rows[Math.min(rows.length - 1, Math.max(0, next ?? -1))];
    if (event.key === 'Escape') onSelect(null);
    else if (event.key === 'Enter') onOpen(rows[current]?.node ?? -1);
    else if (event.key === ' ') onSelect(rows[current]?.node ?? null);
    else if (next !== undefined && row) {
      onSelect(row.node);
      requestAnimationFrame(() => scroll.current?.querySelector<SVGGElement>(`[data-row="${row.node}"]`)?.focus());
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div ref={scroll} className={css.scroll}>
      <svg className={css.axis} width={width} height={AXIS} aria-hidden="true">
        {ticksOf(axis, room).map((tick) => <Tick key={tick} x={at(tick)} tick={tick} width={width} />)}
        {axis.filter(({ gap, from, to }) => gap && roughly(to - from).length * 6 <= at(to) - at(from)).map(({ from, to }) => (
          <text key={from} className={css.gapWord} x={(at(from) + at(to)) / 2} y={25}>{roughly(to - from)}</text>
        ))}
      </svg>
      <svg className={css.rows} width={width} height={tall} role="group" aria-label={`Gantt chart with ${rows.length} rows`} onKeyDown={press}>
        <g aria-hidden="true">
          {ticksOf(axis, room).map((tick) => <line key={tick} className={css.grid} x1={at(tick)} x2={at(tick)} y1={0} y2={tall} />)}
          {axis.filter(({ gap }) => gap).map(({ from, to }) => (
            <g key={from}>
              <rect className={css.gap} x={at(from)} width={at(to) - at(from)} y={0} height={tall} />
              <line className={css.gapEdge} x1={at(from)} x2={at(from)} y1={0} y2={tall} />
              <line className={css.gapEdge} x1={at(to)} x2={at(to)} y1={0} y2={tall} />
              <title>{`Nothing ran for ${duration(to - from)}`}</title>
            </g>
          ))}
        </g>
        {rows.slice(first, last).map((row, i) => (
          <Row
            key={row.node} row={row} y={(first + i) * ROW} width={width} names={names} at={at} axis={axis} room={room} now={now}
            selected={row.node === selected} reachable={first + i === current} onSelect={onSelect} onOpen={onOpen}
          />
        ))}
        {live && now <= (axis.at(-1)?.to ?? now) && <line className={css.now} x1={at(now)} x2={at(now)} y1={0} y2={tall}><title>{`Now: ${exact(now)}`}</title></line>}
      </svg>
    </div>
  );
}

/** "22 min" instead of "22 min 53 s": there is little room in a gap. */
function roughly(ms: number): string {
  return duration(ms).split(' ').slice(0, 2).join(' ');
}

const withSeconds = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' });

function Tick({ x, tick, width }: { readonly x: number; readonly tick: number; readonly width: number }) {
  if (x + 56 > width) return null;
  const fraction = tick % 1_000 === 0 ? '' : `.${String(tick % 1_000).padStart(3, '0').slice(0, 1)}`;
  return <text className={css.tick} x={x + 2} y={12}>{withSeconds.format(tick) + fraction}</text>;
}

/** The part of the rows on screen. */
function useWindow(scroll: RefObject<HTMLDivElement | null>) {
  const [state, setState] = useState({ top: 0, height: 600, width: 800 });
  useEffect(() => {
    const element = scroll.current;
    if (!element) return undefined;
    const look = () => setState((was) => {
      // In steps, so that scrolling by a pixel draws nothing anew.
      const next = { top: Math.floor(element.scrollTop / (ROW * 4)) * ROW * 4, height: element.clientHeight, width: element.clientWidth };
      return was.top === next.top && was.height === next.height && was.width === next.width ? was : next;
    });
    const observer = new ResizeObserver(look);
    observer.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, [scroll]);
  return state;
}
