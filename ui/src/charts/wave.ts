// SPDX-License-Identifier: Apache-2.0
// The retries to come, bucket by bucket: what the chart draws and what it says.
import { count, duration, relative } from '../parts/when';

export const WINDOWS = ['minute', 'hour', 'day', 'fortnight'] as const;
export type WaveWindow = (typeof WINDOWS)[number];

export const WINDOW_WORDS: Readonly<Record<WaveWindow, string>> = {
  minute: 'minute', hour: 'hour', day: 'day', fortnight: '14 days',
};

/** The answer of `GET /retry/wave`, as far as the chart needs it. */
export interface WaveData {
  readonly now: string;
  readonly from: string;
  readonly step_ms: number;
  readonly overdue: number;
  readonly later: number;
  readonly estimated: boolean;
  readonly counts: readonly number[];
  /** Attempts per bucket at other times. */
  readonly usual?: number | null;
  readonly by_kind?: readonly { readonly kind: string; readonly counts: readonly number[] }[] | null;
}

/** A part of a window: the instants of its begin and end. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface Bar extends Span {
  readonly count: number;
  /** From the largest kind to the smallest; one part without a kind if the answer is not split. */
  readonly parts: readonly { readonly kind: string; readonly rank: number; readonly count: number }[];
}

export function isWindow(text: unknown): text is WaveWindow {
  return WINDOWS.some((name) => name === text);
}

export function barsOf(wave: WaveData): Bar[] {
  const start = Date.parse(wave.from);
  const kinds = wave.by_kind?.length ? wave.by_kind : [{ kind: '', counts: wave.counts }];
  return wave.counts.map((total, i) => ({
    from: start + i * wave.step_ms,
    to: start + (i + 1) * wave.step_ms,
    count: total,
    parts: kinds.map(({ kind, counts }, rank) => ({ kind, rank, count: counts[i] ?? 0 })).filter((part) => part.count > 0),
  }));
}

/** The top of the scale: the tallest bar or the usual load, rounded up to 1, 2 or 5 times a power of ten. */
export function topOf(wave: WaveData): number {
  const most = Math.max(1, ...wave.counts, wave.usual ?? 0);
  const power = 10 ** Math.floor(Math.log10(most));
  return ([1, 2, 5, 10].find((factor) => factor * power >= most) ?? 10) * power;
}

/** How many retries of each kind the window holds, the largest first. "" stands for all other kinds. */
export function totalsOf(wave: WaveData): { kind: string; rank: number; count: number }[] {
  return (wave.by_kind ?? [])
    .map(({ kind, counts }, rank) => ({ kind, rank, count: counts.reduce((sum, one) => sum + one, 0) }))
    .filter((one) => one.count > 0);
}

/** The first of the tallest bars; null if all are empty. */
export function peakOf(bars: readonly Bar[]): Bar | null {
  const most = Math.max(0, ...bars.map((bar) => bar.count));
  return most === 0 ? null : bars.find((bar) => bar.count === most) ?? null;
}

/** What comes, in words: the sentence that the chart illustrates. `next` is the instant of the next retry, if it is known. */
export function waveSentence(wave: WaveData, window: WaveWindow, zone?: string, next?: string | null): string {
  const bars = barsOf(wave);
  const peak = peakOf(bars);
  const about = wave.estimated ? 'about ' : '';
  const due = wave.overdue > 0 ? ` ${sentenceCase(`${about}${retries(wave.overdue)}`)} ${wave.overdue === 1 ? 'is' : 'are'} due now.` : '';
  if (!peak) {
    const later = wave.later > 0 ? ` ${sentenceCase(`${about}${retries(wave.later)}`)} ${wave.later === 1 ? 'comes' : 'come'} later.` : '';
    const left = next ? Date.parse(next) - Date.parse(wave.now) : 0;
    const first = left >= wave.step_ms * wave.counts.length ? ` The next one comes ${relative(left, 0)}.` : later;
    return `No retry is due in the next ${WINDOW_WORDS[window]}.${due}${first}`;
  }
  const total = wave.counts.reduce((sum, one) => sum + one, 0);
  const opening = `${sentenceCase(`${about}${retries(total)}`)} ${total === 1 ? 'comes' : 'come'} in the next ${WINDOW_WORDS[window]}`;
  const at = clock(peak.from, wave.step_ms, zone);
  if (total === 1) return `${opening}, at ${at}.${due}`;
  return `${opening}. The most, ${about}${count(peak.count)}, ${peak.count === 1 ? 'comes' : 'come'} at ${at}${times(peak.count, wave.usual)}.${due}`;
}

function times(most: number, usual: number | null | undefined): string {
  if (!usual || most < 2 * usual) return '';
  return `, about ${count(Math.round(most / usual))} × the usual load`;
}

function retries(number: number): string {
  return `${count(number)} ${number === 1 ? 'retry' : 'retries'}`;
}

function sentenceCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** One bar in words: "16:18, 1 min: 297 retries. charge-card 280, mail 17." */
export function barWords(bar: Bar, zone?: string): string {
  const named = bar.parts.filter((part) => part.kind !== '' || bar.parts.length > 1);
  const kinds = named.map((part) => `${part.kind === '' ? 'other kinds' : part.kind} ${count(part.count)}`).join(', ');
  const step = bar.to - bar.from;
  return `${clock(bar.from, step, zone)}, ${duration(step)}: ${retries(bar.count)}.${kinds === '' ? '' : ` ${kinds}.`}`;
}

/** A span in words: "16:18 to 16:30". */
export function spanWords(span: Span, stepMs: number, zone?: string): string {
  return `${clock(span.from, stepMs, zone)} to ${clock(span.to, stepMs, zone)}`;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** As exact as a bucket is long: with seconds, with minutes, or with the day. */
export function clock(at: number, stepMs: number, zone?: string): string {
  const time = stepMs < MINUTE
    ? { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const
    : { hour: '2-digit', minute: '2-digit' } as const;
  const day = stepMs >= 15 * MINUTE ? { weekday: 'short', day: 'numeric' } as const : {};
  return new Intl.DateTimeFormat('en-GB', { ...time, ...day, hourCycle: 'h23', timeZone: zone }).format(at).replace(',', '');
}

/** Steps between labels that fall on whole minutes, hours and days. */
const LABEL_STEPS: readonly { readonly stepMs: number; readonly every: readonly number[] }[] = [
  { stepMs: MINUTE, every: [5, 10, 15, 20, 30] },
  { stepMs: 15 * MINUTE, every: [8, 12, 16, 24, 48] },
  { stepMs: 6 * HOUR, every: [4, 8, 12, 28] },
];

/** Labels of the axis: at most about `most`, at whole minutes, hours or days. */
export function ticksOf(bars: readonly Bar[], most: number, zone?: string): { index: number; label: string }[] {
  const step = bars[0] ? bars[0].to - bars[0].from : MINUTE;
  const steps = LABEL_STEPS.find(({ stepMs }) => step <= stepMs)?.every ?? [];
  const every = steps.find((one) => bars.length / one <= most) ?? bars.length;
  return bars.flatMap((bar, index) => {
    if (index === 0 || (bar.from / step) % every !== 0) return [];
    return [{ index, label: step >= HOUR ? day(bar.from, zone) : clock(bar.from, step < 15 * MINUTE ? step : MINUTE, zone) }];
  });
}

function day(at: number, zone?: string): string {
  return new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', timeZone: zone }).format(at).replace(',', '');
}

/** The span of the bars between two, whichever comes first. */
export function spanOf(bars: readonly Bar[], anchor: number, other: number): Span | null {
  const first = bars[Math.min(anchor, other)];
  const last = bars[Math.max(anchor, other)];
  return first && last ? { from: first.from, to: last.to } : null;
}

/** How many retries of the window lie within a span. */
export function countWithin(bars: readonly Bar[], span: Span): number {
  return bars.filter((bar) => bar.from >= span.from && bar.to <= span.to).reduce((sum, bar) => sum + bar.count, 0);
}
