// SPDX-License-Identifier: Apache-2.0
import { STATE_ICONS } from '../parts/Badge';
import { stateWord } from '../parts/states';
import { count, duration, relative } from '../parts/when';
import { density, ROW } from './gantt';
import type { Bar, GanttRow, Stretch } from './gantt';
import css from './Gantt.module.css';

interface Props {
  readonly row: GanttRow;
  readonly y: number;
  readonly width: number;
  readonly names: number;
  readonly room: number;
  readonly at: (time: number) => number;
  readonly axis: readonly Stretch[];
  readonly now: number;
  readonly selected: boolean;
  readonly reachable: boolean;
  readonly onSelect: (node: number | null) => void;
  readonly onOpen: (node: number) => void;
}

const BAR = 14;
const TOP = (ROW - BAR) / 2;

export function Row({ row, y, width, names, room, at, axis, now, selected, reachable, onSelect, onOpen }: Props) {
  const most = Math.floor((names - 16) / 7);
  const full = row.size === 1 ? row.title : `${row.title} × ${count(row.size)}`;
  return (
    <g
      className={css.row} transform={`translate(0 ${y})`} role="button" aria-label={rowWords(row, now)} aria-pressed={selected}
      tabIndex={reachable ? 0 : -1} data-row={row.node}
      onClick={() => onSelect(row.node)} onDoubleClick={() => onOpen(row.node)}
    >
      <title>{rowWords(row, now)}</title>
      <rect className={css.hit} x={2} y={1} width={width - 4} height={ROW - 2} rx={4} />
      <text className={css.name} x={8} y={ROW / 2 + 4}>{full.length <= most ? full : `${full.slice(0, most - 1)}…`}</text>
      {row.size === 1
        ? row.bars.map((bar) => <Piece key={`${bar.type} ${bar.from}`} bar={bar} at={at} />)
        : <Band row={row} names={names} room={room} axis={axis} />}
    </g>
  );
}

function Piece({ bar, at }: { readonly bar: Bar; readonly at: (time: number) => number }) {
  const x = at(bar.from);
  const wide = at(bar.to) - x;
  if (bar.type === 'run') {
    const Icon = STATE_ICONS[bar.state];
    return (
      <>
        <rect className={`${css.run} ${css[bar.state]}`} x={x} y={TOP} width={Math.max(3, wide)} height={BAR} rx={2} />
        {wide > 18 && <Icon className={css.icon ?? ''} x={x + 3} y={TOP + 1} size={12} strokeWidth={2} aria-hidden="true" />}
      </>
    );
  }
  if (bar.type === 'earliest') return <rect className={css.ghost} x={x} y={TOP} width={Math.max(8, wide)} height={BAR} rx={2} />;
  return (
    <>
      <line className={`${css.wait} ${css[bar.state]}`} x1={x} x2={x + wide} y1={ROW / 2} y2={ROW / 2} />
      {bar.type === 'retry' && <rect className={css.planned} x={x + wide - 2} y={TOP} width={10} height={BAR} rx={2} />}
    </>
  );
}

/** How many run at a time, as columns of 3 px. The tallest fills the row. */
function Band({ row, names, room, axis }: Pick<Props, 'row' | 'names' | 'room' | 'axis'>) {
  const bins = Math.max(1, Math.floor(room / 3));
  const counts = density(row.runs, axis, bins);
  const most = Math.max(1, ...counts);
  const tall = ROW - 6;
  const path = counts.map((number, i) => {
    const height = number === 0 ? 0 : Math.max(2, (tall * number) / most);
    return height === 0 ? '' : `M${names + i * 3} ${ROW - 3}v${-height}h3v${height}z`;
  }).join('');
  return <path className={css.band} d={path} />;
}

function rowWords(row: GanttRow, now: number): string {
  if (row.size > 1) {
    const to = Math.max(...row.runs.map((run) => run.to));
    const span = row.runs.length === 0 ? 'none has started' : `${count(row.runs.length)} have started, over ${duration(to - row.start)}`;
    return `${row.title}, ${count(row.size)} tasks: ${span}`;
  }
  const words = row.bars.map((bar) => {
    if (bar.type === 'earliest') return `has not started, at the earliest ${relative(bar.from, now)}`;
    if (bar.type === 'retry') return `next attempt ${relative(bar.to, now)}`;
    return bar.type === 'wait' ? `waited ${duration(bar.to - bar.from)}` : `${stateWord(bar.state)} after ${duration(bar.to - bar.from)}`;
  });
  return `${row.title}: ${words.length === 0 ? 'has not started' : words.join(', ')}`;
}
