// SPDX-License-Identifier: Apache-2.0
// What happened, bucket by bucket: what the chart draws and what it says.
import { count } from '../parts/when';
import { clock } from './wave';

export const SERIES_WINDOWS = ['15m', '1h', '24h', '14d'] as const;
export type SeriesWindow = (typeof SERIES_WINDOWS)[number];

export const SERIES_WORDS: Readonly<Record<SeriesWindow, string>> = { '15m': '15 min', '1h': '1 h', '24h': '24 h', '14d': '14 d' };
const LAST: Readonly<Record<SeriesWindow, string>> = { '15m': '15 minutes', '1h': 'hour', '24h': '24 hours', '14d': '14 days' };

export const LINES = ['succeeded', 'failed', 'retried'] as const;
export type Line = (typeof LINES)[number];

type Values = readonly (number | null)[];

/** The answer of `GET /series`, as far as the chart needs it. Null where no node ran. */
export interface SeriesData extends Readonly<Record<Line, Values>> {
  readonly from: string;
  readonly step_ms: number;
  /** Whether the last bucket still grows. */
  readonly forming: boolean;
}

export function isSeriesWindow(text: unknown): text is SeriesWindow {
  return SERIES_WINDOWS.some((name) => name === text);
}

/** The begin of each bucket, in milliseconds. */
export function timesOf(data: SeriesData): number[] {
  const from = Date.parse(data.from);
  return data.succeeded.map((_, i) => from + i * data.step_ms);
}

export type Columns = [number[], ...(number | null)[][]];

/**
 * The columns that uPlot draws: times in seconds, then for each line what is complete, then for each
 * line the piece that leads to the bucket that still grows.
 */
export function columnsOf(data: SeriesData): Columns {
  const last = data.succeeded.length - 1;
  const complete = LINES.map((line) => data[line].map((value, i) => (data.forming && i === last ? null : value)));
  const growing = LINES.map((line) => data[line].map((value, i) => (data.forming && i >= last - 1 ? value : null)));
  return [timesOf(data).map((at) => at / 1_000), ...complete, ...growing];
}

/** Values without a neighbour: a line has no length there, so they are drawn as points. */
export function isolated(values: Values): number[] {
  const has = (i: number) => typeof values[i] === 'number';
  return values.flatMap((_, i) => (has(i) && !has(i - 1) && !has(i + 1) ? [i] : []));
}

/** The last value that is known of each line; null if there is none. */
export function lastOf(values: Values): number | null {
  return values.findLast((value) => value !== null) ?? null;
}

/** Moves labels apart that would cover each other, but not out of the frame. */
export function spread(wanted: readonly number[], least: number, bottom: number): number[] {
  const order = wanted.map((_, i) => i).sort((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0));
  const places = [...wanted];
  let limit = bottom;
  for (const i of order.toReversed()) {
    places[i] = Math.min(places[i] ?? 0, limit);
    limit = (places[i] ?? 0) - least;
  }
  return places;
}

/** The top of the scale: the largest value, rounded up so that its half is a whole number too. */
export function topOfSeries(most: number): number {
  if (most <= 2) return 2;
  const power = 10 ** Math.floor(Math.log10(most));
  return Math.max(2, ([1, 2, 4, 6, 8, 10].find((factor) => factor * power >= most) ?? 10) * power);
}

function sum(values: Values): number {
  return values.reduce<number>((total, value) => total + (value ?? 0), 0);
}

/** What happened, in words: the sentence that the chart illustrates. */
export function seriesSentence(data: SeriesData, window: SeriesWindow, zone?: string): string {
  if (LINES.every((line) => data[line].every((value) => value === null))) return `No node ran in the last ${LAST[window]}.`;
  const [succeeded = 0, failed = 0, retried = 0] = LINES.map((line) => sum(data[line]));
  if (succeeded + failed + retried === 0) return `No attempt ended in the last ${LAST[window]}.`;
  const said = `In the last ${LAST[window]}, ${count(succeeded)} ${attempts(succeeded)} succeeded and ${count(failed)} failed;`
    + ` ${count(retried)} ${retried === 1 ? 'retry' : 'retries'} started.`;
  const most = Math.max(0, ...data.failed.map((value) => value ?? 0));
  if (most < 2 || failed === most) return said;
  const at = timesOf(data)[data.failed.indexOf(most)] ?? 0;
  return `${said} The most failures, ${count(most)}, came at ${clock(at, data.step_ms, zone)}.`;
}

function attempts(number: number): string {
  return number === 1 ? 'attempt' : 'attempts';
}

/** One bucket in words: "03:02: 12 succeeded, 40 failed, 31 retried". */
export function bucketWords(data: SeriesData, index: number, zone?: string): string {
  const at = clock(timesOf(data)[index] ?? 0, data.step_ms, zone);
  if (LINES.every((line) => (data[line][index] ?? null) === null)) return `${at}: no node ran`;
  const growing = data.forming && index === data.succeeded.length - 1 ? ', so far' : '';
  return `${at}: ${LINES.map((line) => `${count(data[line][index] ?? 0)} ${line}`).join(', ')}${growing}`;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const INTERVALS = [
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE), ...[1, 2, 3, 4, 6, 12].map((hours) => hours * HOUR),
  ...[1, 2, 4, 7].map((days) => days * DAY),
];

function localOffset(at: number): number {
  return -new Date(at).getTimezoneOffset() * MINUTE;
}

/** Buckets that get a label on the axis: at most `most`, at whole minutes, hours or days of the viewer. */
export function seriesTicks(data: SeriesData, most: number, offset: (at: number) => number = localOffset): number[] {
  const times = timesOf(data);
  const span = times.length * data.step_ms;
  const interval = INTERVALS.find((one) => span / one <= most) ?? DAY * 7;
  return times.filter((at) => (at + offset(at)) % interval === 0);
}

/** The label of a tick: the time of day, or the day at midnight. */
export function tickWords(at: number, stepMs: number, zone?: string): string {
  if (stepMs < HOUR) return clock(at, MINUTE, zone);
  return new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', timeZone: zone }).format(at).replace(',', '');
}
