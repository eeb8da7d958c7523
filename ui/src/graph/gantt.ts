// SPDX-License-Identifier: Apache-2.0
// The rows of a Gantt chart, and a time axis on which long pauses are short.
import { isEnded } from '../parts/states';
import type { State } from '../parts/states';
import { earliestRuns } from './earliest';
import type { Expected } from './earliest';
import type { Folded, GraphLink } from './fold';
import type { DagTask } from './read';

/** The height of a row in pixels. */
export const ROW = 26;

export interface Bar {
  /** `earliest`: a run that has not begun, of a task that waits for others. */
  readonly type: 'run' | 'wait' | 'retry' | 'earliest';
  readonly from: number;
  readonly to: number;
  readonly state: State;
}

export interface GanttRow {
  /** The node of the graph, in `folded.nodes`. */
  readonly node: number;
  readonly title: string;
  readonly size: number;
  /** Of one task. A fold has none. */
  readonly bars: readonly Bar[];
  /** Of a fold: the runs of its members. */
  readonly runs: readonly Bar[];
  /** When it first ran; Infinity if it has not. */
  readonly start: number;
}

/** One row for each node, by start; what has not started comes last, in the order of the graph. */
export function ganttRows(folded: Folded, tasks: readonly DagTask[], links: readonly GraphLink[], now: number): GanttRow[] {
  const readyAt = readyTimes(tasks, links);
  const earliest = earliestRuns(tasks, links, now);
  const rows = folded.nodes.map(({ kind, members }, node): GanttRow => {
    const all = members.map((member) => barsOf(tasks[member] as DagTask, readyAt[member] ?? null, now));
    const single = members.length === 1;
    const start = Math.min(Infinity, ...startsOf(all));
    return {
      node, size: members.length, start,
      title: single ? tasks[members[0] as number]?.name ?? kind : kind,
      bars: single ? [...(all[0] ?? []), ...ghostOf(earliest[members[0] as number])] : [],
      runs: single ? [] : all.flat().filter(({ type }) => type === 'run'),
    };
  });
  return rows.sort((a, b) => (a.start === b.start ? a.node - b.node : a.start - b.start));
}

function ghostOf(run: Expected | null | undefined): Bar[] {
  return run ? [{ type: 'earliest', ...run, state: 'Waiting' }] : [];
}

/** When each task could have started: it was submitted and due, and the tasks before it had ended. */
export function readyTimes(tasks: readonly DagTask[], links: readonly GraphLink[]): (number | null)[] {
  const ready = tasks.map(({ createdAt, runAt, attempt }) => (attempt === 0 ? runAt : null) ?? createdAt);
  for (const { parent, child } of links) {
    const end = tasks[parent]?.endedAt ?? null;
    if (end !== null) ready[child] = Math.max(ready[child] ?? end, end);
  }
  return ready;
}

/** The first run of each member that has one. */
function startsOf(all: readonly (readonly Bar[])[]): number[] {
  return all.flatMap((bars) => bars.find(({ type }) => type === 'run')?.from ?? []);
}

/**
 * The last attempt as a bar. What lies between the moment a task could start and that attempt is a
 * wait: for a slot or, after a failure, for a retry.
 */
export function barsOf(task: DagTask, readyAt: number | null, now: number): Bar[] {
  const { status, startedAt, endedAt, nextRetryAt } = task;
  const bars: Bar[] = [];
  if (startedAt !== null) {
    const to = endedAt ?? (status === 'Running' || status === 'Claimed' ? now : startedAt);
    const wait = readyAt === null ? 0 : startedAt - readyAt;
    if (wait >= SHORTEST_WAIT) bars.push({ type: 'wait', from: startedAt - wait, to: startedAt, state: task.attempt > 0 ? 'RetryPending' : 'Pending' });
    bars.push({ type: 'run', from: startedAt, to: Math.max(startedAt, to), state: isEnded(status) ? status : status === 'RetryPending' ? 'Failure' : 'Running' });
  } else if (status === 'Pending' && readyAt !== null && readyAt < now) {
    bars.push({ type: 'wait', from: readyAt, to: now, state: 'Pending' });
  }
  if (status === 'RetryPending' && nextRetryAt !== null) {
    const to = Math.max(nextRetryAt, now);
    bars.push({ type: 'retry', from: Math.min(bars.at(-1)?.to ?? to, to), to, state: 'RetryPending' });
  }
  return bars;
}

/** An attempt that has ended, as instants. */
export interface PastAttempt {
  readonly from: number;
  readonly to: number;
  readonly failed: boolean;
}

/** The bars of a task whose attempts are known, with the waits between them. */
export function withAttempts(task: DagTask, attempts: readonly PastAttempt[], now: number): Bar[] {
  const [last, ...others] = barsOf(task, null, now).filter(({ type }) => type !== 'wait').reverse();
  const open = [...others, last].flatMap((bar) => (bar && !attempts.some(({ from }) => from === bar.from && bar.type === 'run') ? [bar] : []));
  const past = attempts.map(({ from, to, failed }): Bar => ({ type: 'run', from, to, state: failed ? 'Failure' : 'Success' }));
  const end = past.at(-1)?.to ?? -Infinity;
  const after = open.map((bar) => (bar.type === 'retry' ? { ...bar, from: Math.min(bar.to, Math.max(bar.from, end)) } : bar));
  const bars = [...past, ...after].sort((a, b) => a.from - b.from);
  return bars.flatMap((bar, i): Bar[] => {
    const before = bars[i - 1];
    if (!before || bar.type !== 'run' || bar.from <= before.to) return [bar];
    return [{ type: 'wait', from: before.to, to: bar.from, state: 'RetryPending' }, bar];
  });
}

/** A stretch of time, and the share of the width that it gets. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly x: number;
  readonly width: number;
  /** Nothing ran, and it is drawn shorter than it was. */
  readonly gap: boolean;
}

/** Shorter waits for a slot are not worth a line. */
const SHORTEST_WAIT = 200;

/** A pause is compressed if it is longer than this share of the time in which something ran. */
const LONG_PAUSE = 0.12;
const GAP_WIDTH = 0.07;
const MOST_GAPS = 8;

/** The axis: busy stretches to scale, long pauses between them at a fixed width. Of a live batch it reaches until now. */
export function axisOf(rows: readonly GanttRow[], now: number, live: boolean): Stretch[] {
  const busy = merged(rows.flatMap((row) => [...row.bars.filter(({ type }) => type === 'run'), ...row.runs]));
  const planned = rows.flatMap(({ bars }) => bars.flatMap(({ type, from, to }) => (type === 'retry' ? [{ from: to, to }] : type === 'earliest' ? [{ from, to }] : [])));
  const all = merged([...busy, ...planned, ...(live || busy.length === 0 ? [{ from: now, to: now }] : [])]);
  const first = all[0];
  const last = all.at(-1);
  if (!first || !last) return [{ from: now, to: now + 1, x: 0, width: 1, gap: false }];
  const time = all.reduce((sum, { from, to }) => sum + to - from, 0);
  const pauses = all.slice(1).map(({ from }, i) => ({ from: all[i]?.to ?? from, to: from }));
  const long = pauses.filter(({ from, to }) => to - from > Math.max(1_000, time * LONG_PAUSE))
    .sort((a, b) => b.to - b.from - (a.to - a.from)).slice(0, MOST_GAPS).sort((a, b) => a.from - b.from);
  const edges = [first.from, ...long.flatMap(({ from, to }) => [from, to]), Math.max(last.to, first.from + 1)];
  const scaled = edges.slice(1).reduce((sum, to, i) => (i % 2 === 0 ? sum + to - (edges[i] as number) : sum), 0);
  const free = 1 - GAP_WIDTH * long.length;
  let x = 0;
  return edges.slice(1).map((to, i) => {
    const from = edges[i] as number;
    const gap = i % 2 === 1;
    const width = gap ? GAP_WIDTH : scaled === 0 ? free / (long.length + 1) : (free * (to - from)) / scaled;
    const stretch = { from, to, x, width, gap };
    x += width;
    return stretch;
  });
}

function merged(spans: readonly { readonly from: number; readonly to: number }[]): { from: number; to: number }[] {
  const joint: { from: number; to: number }[] = [];
  for (const { from, to } of [...spans].sort((a, b) => a.from - b.from)) {
    const last = joint.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else joint.push({ from, to });
  }
  return joint;
}

/** Where an instant lies, from 0 to 1. */
export function placeAt(at: number, axis: readonly Stretch[]): number {
  const stretch = axis.find(({ to }) => at <= to) ?? axis.at(-1);
  if (!stretch) return 0;
  const share = stretch.to === stretch.from ? 0 : (at - stretch.from) / (stretch.to - stretch.from);
  return stretch.x + stretch.width * Math.min(1, Math.max(0, share));
}

/** How many of the runs are under way in each of `bins` equal parts of the width. */
export function density(runs: readonly Bar[], axis: readonly Stretch[], bins: number): number[] {
  const counts = new Array<number>(bins + 1).fill(0);
  for (const { from, to } of runs) {
    const first = Math.min(bins - 1, Math.floor(placeAt(from, axis) * bins));
    const last = Math.min(bins - 1, Math.floor(placeAt(to, axis) * bins));
    counts[first] = (counts[first] ?? 0) + 1;
    counts[last + 1] = (counts[last + 1] ?? 0) - 1;
  }
  let running = 0;
  return counts.slice(0, bins).map((change) => (running += change));
}

/** Instants at round times, not too near to each other and not within a gap. */
export function ticksOf(axis: readonly Stretch[], width: number, least = 96): number[] {
  const ticks: number[] = [];
  for (const { from, to, gap, width: share } of axis) {
    if (gap) continue;
    const room = share * width;
    const step = STEPS.find((candidate) => ((to - from) / candidate) * least <= room) ?? STEPS.at(-1) as number;
    for (let at = Math.ceil(from / step) * step; at <= to && ticks.length < 200; at += step) ticks.push(at);
  }
  return ticks;
}

const STEPS = [
  100, 200, 500, 1_000, 2_000, 5_000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000, 900_000, 1_800_000,
  3_600_000, 7_200_000, 21_600_000, 43_200_000, 86_400_000, 604_800_000,
];
