// SPDX-License-Identifier: Apache-2.0
// The attempts of a task as segments of a timeline, and the width of each segment.

export type Outcome =
  | 'success' | 'failure' | 'lost' | 'handed_back' | 'snoozed' | 'canceled' | 'resolved';

/** One stored entry. Several entries can share a number: only the last of them ended the attempt. */
export interface Entry {
  readonly number: number;
  readonly startedAt: number | null;
  readonly endedAt: number;
  readonly outcome: Outcome;
  /** What to write under the bar, such as "503". */
  readonly label?: string;
}

/** Something that interrupted an attempt without ending it. */
export interface Mark {
  readonly at: number;
  readonly outcome: Outcome;
}

export interface Run {
  readonly type: 'run';
  /** Counted from 1. */
  readonly attempt: number;
  readonly from: number;
  readonly to: number;
  /** 'running' while the attempt has not ended. */
  readonly outcome: Outcome | 'running';
  readonly label: string;
  readonly marks: readonly Mark[];
}

export interface Wait {
  readonly type: 'wait';
  readonly from: number;
  readonly to: number;
}

export interface Fold {
  readonly type: 'fold';
  readonly attempts: number;
  readonly from: number;
  readonly to: number;
  /** The usual time from one start to the next, or null if it varies. */
  readonly every: number | null;
  /** Whether these are attempts that are not loaded, before all others. */
  readonly earlier?: true;
}

/** An attempt still to come: between `from` and `to`, most likely at `at`. */
export interface Planned {
  readonly type: 'planned';
  readonly attempt: number;
  readonly from: number;
  readonly to: number;
  readonly at: number;
}

export type Segment = Run | Wait | Fold | Planned;

export type Scale = 'log' | 'linear';

export interface Box {
  readonly x: number;
  readonly width: number;
}

const FOLD_ABOVE = 40;
const KEEP_FIRST = 3;
const KEEP_LAST = 20;

const INTERRUPTIONS: ReadonlySet<Outcome> = new Set<Outcome>(['lost', 'handed_back', 'snoozed']);

/** Joins entries with the same number into one run each. `open` is the attempt that runs now. */
export function runsOf(
  entries: readonly Entry[],
  open?: { readonly number: number; readonly from: number; readonly now: number },
): Run[] {
  const byNumber = new Map<number, Entry[]>();
  for (const entry of entries) {
    const same = byNumber.get(entry.number);
    if (same) same.push(entry);
    else byNumber.set(entry.number, [entry]);
  }
  const runs = [...byNumber].map(([number, same]) => joined(number, same, open));
  if (open && !byNumber.has(open.number)) {
    runs.push(run(open.number, open.from, open.now, 'running', '', []));
  }
  return runs.sort((a, b) => a.attempt - b.attempt);
}

function joined(
  number: number,
  entries: readonly Entry[],
  open: { readonly number: number; readonly from: number; readonly now: number } | undefined,
): Run {
  const from = Math.min(...entries.map((entry) => entry.startedAt ?? entry.endedAt));
  const marks = entries
    .filter((entry) => INTERRUPTIONS.has(entry.outcome))
    .map((entry) => ({ at: entry.endedAt, outcome: entry.outcome }));
  const end = entries.findLast((entry) => !INTERRUPTIONS.has(entry.outcome));
  if (end) return run(number, from, end.endedAt, end.outcome, end.label ?? '', marks);
  if (open?.number === number) return run(number, from, open.now, 'running', '', marks);
  const last = entries[entries.length - 1] as Entry;
  return run(number, from, last.endedAt, last.outcome, last.label ?? '', marks);
}

function run(
  number: number, from: number, to: number, outcome: Run['outcome'], label: string, marks: readonly Mark[],
): Run {
  return { type: 'run', attempt: number + 1, from, to: Math.max(from, to), outcome, label, marks };
}

/** Runs with the waits between them. Long histories keep 3 first and 20 last runs unless expanded. */
export function segmentsOf(runs: readonly Run[], expanded = false): Segment[] {
  if (expanded || runs.length <= FOLD_ABOVE) return withWaits(runs);
  const folded = runs.slice(KEEP_FIRST, -KEEP_LAST);
  return withWaits([...runs.slice(0, KEEP_FIRST), foldOf(folded), ...runs.slice(-KEEP_LAST)]);
}

function foldOf(runs: readonly Run[]): Fold {
  const first = runs[0] as Run;
  const last = runs[runs.length - 1] as Run;
  return { type: 'fold', attempts: runs.length, from: first.from, to: last.to, every: rhythm(runs) };
}

/** The median distance between starts, if none differs from it by more than a tenth. */
function rhythm(runs: readonly Run[]): number | null {
  const gaps = runs.slice(1).map((next, i) => next.from - (runs[i] as Run).from);
  const sorted = [...gaps].sort((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)];
  if (median === undefined) return null;
  return gaps.every((gap) => Math.abs(gap - median) <= median / 10) ? median : null;
}

function withWaits(parts: readonly (Run | Fold)[]): Segment[] {
  const segments: Segment[] = [];
  for (const part of parts) {
    const before = segments[segments.length - 1];
    if (before && part.from > before.to) segments.push({ type: 'wait', from: before.to, to: part.from });
    segments.push(part);
  }
  return segments;
}

/** Puts attempts that are not loaded before all others, as one block. */
export function withEarlier(segments: readonly Segment[], attempts: number, from: number): Segment[] {
  const first = segments[0];
  if (!first || attempts <= 0) return [...segments];
  return [{ type: 'fold', attempts, from: Math.min(from, first.from), to: first.from, every: null, earlier: true }, ...segments];
}

/** Adds the attempts to come, each after a wait that ends at its earliest time. */
export function withPlan(segments: readonly Segment[], planned: readonly Planned[]): Segment[] {
  const all = [...segments];
  for (const next of planned) {
    const before = all[all.length - 1];
    if (before && next.from > before.to) all.push({ type: 'wait', from: before.to, to: next.from });
    all.push(next);
  }
  return all;
}

/**
 * The place of each segment on a line of this width. On the log scale every segment gets at least
 * `least`, and the rest by `log2(2 + ms/250)`, so that 0.8 s and 7 days are both visible.
 */
export function layOut(
  segments: readonly Segment[], total: number, scale: Scale = 'log', least = 24,
): Box[] {
  const lengths = segments.map((segment) => Math.max(0, segment.to - segment.from));
  const weights = scale === 'log' ? lengths.map(logWeight) : evenIfAllZero(lengths);
  const smallest = scale === 'log' ? Math.min(least, total / Math.max(1, segments.length)) : 0;
  const free = total - smallest * segments.length;
  const sum = weights.reduce((a, b) => a + b, 0);
  let x = 0;
  return weights.map((weight) => {
    const box = { x, width: smallest + (free * weight) / sum };
    x += box.width;
    return box;
  });
}

export function logWeight(ms: number): number {
  return Math.log2(2 + ms / 250);
}

function evenIfAllZero(lengths: readonly number[]): readonly number[] {
  return lengths.some((length) => length > 0) ? lengths : lengths.map(() => 1);
}

/** Where an instant lies on the line, or null if no segment contains it. */
export function placeOf(at: number, segments: readonly Segment[], boxes: readonly Box[]): number | null {
  const index = segments.findIndex((segment) => segment.from <= at && at <= segment.to);
  const segment = segments[index];
  const box = boxes[index];
  if (!segment || !box) return null;
  const length = segment.to - segment.from;
  return box.x + (length === 0 ? 0 : (box.width * (at - segment.from)) / length);
}
