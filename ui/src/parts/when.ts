// SPDX-License-Identifier: Apache-2.0
// Times, lengths and counts in words. All instants and lengths are in milliseconds.

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** "in 41 s", "in 5 min", "in 6 days", "8 min ago", or "now". */
export function relative(at: number, now: number): string {
  const distance = at - now;
  if (Math.abs(distance) < SECOND / 2) return 'now';
  return distance > 0 ? `in ${rounded(distance)}` : ago(-distance);
}

/** How long ago, without "ago": for a column that is already called Age. */
export function age(at: number, now: number): string {
  return elapsed(Math.max(0, now - at));
}

function ago(ms: number): string {
  return ms < SECOND ? 'now' : `${elapsed(ms)} ago`;
}

/** Whole units that have passed: 8 min 59 s is 8 min. */
function elapsed(ms: number): string {
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)} s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`;
  if (ms < DAY) return `${Math.floor(ms / HOUR)} h`;
  return days(Math.floor(ms / DAY));
}

/** The time left, in the nearest unit: seconds count every one that has begun. */
function rounded(ms: number): string {
  const seconds = Math.ceil(ms / SECOND);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(ms / MINUTE);
  if (minutes < 60) return `${Math.max(1, minutes)} min`;
  const hours = Math.round(ms / HOUR);
  if (hours < 24) return `${hours} h`;
  return days(Math.round(ms / DAY));
}

function days(count: number): string {
  return count === 1 ? '1 day' : `${plainNumber.format(count)} days`;
}

/** How often a time at this distance is shown anew. */
export function refreshInterval(distance: number): number {
  const far = Math.abs(distance);
  if (far < MINUTE) return SECOND;
  return far < HOUR ? 10 * SECOND : MINUTE;
}

/**
 * Milliseconds until the text should be shown anew. A countdown ticks on whole seconds, and does
 * not sleep through the last minute or the last hour.
 */
export function refreshIn(at: number, now: number): number {
  const left = at - now;
  const interval = refreshInterval(left);
  if (left <= 0) return interval;
  if (interval === SECOND) return left % SECOND || SECOND;
  const next = interval === MINUTE ? HOUR : MINUTE;
  return Math.max(1, Math.min(interval, left - next + 1));
}

/** "1.2 s", "41 s", "4 min 12 s", "1 h 15 min", "7 d". Two units at most. */
export function duration(ms: number): string {
  const length = Math.max(0, ms);
  if (length < 100) return `${Math.round(length)} ms`;
  if (Math.round(length / 100) < 100) return `${Math.round(length / 100) / 10} s`;
  const seconds = Math.round(length / SECOND);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return twoUnits(seconds, 60, 'min', 's');
  const minutes = Math.round(length / MINUTE);
  if (minutes < 24 * 60) return twoUnits(minutes, 60, 'h', 'min');
  return twoUnits(Math.round(length / HOUR), 24, 'd', 'h');
}

function twoUnits(count: number, base: number, large: string, small: string): string {
  const rest = count % base;
  const whole = `${plainNumber.format((count - rest) / base)} ${large}`;
  return rest === 0 ? whole : `${whole} ${rest} ${small}`;
}

const plainNumber = new Intl.NumberFormat('en');

/** "Mon 16 Nov 2026, 03:11:20.412 CET · 02:11:20.412 UTC"; in UTC only once. */
export function exact(at: number, zone = Intl.DateTimeFormat().resolvedOptions().timeZone): string {
  const local = partsOf(at, zone);
  const date = `${local.weekday} ${local.day} ${local.month} ${local.year}`;
  const here = `${date}, ${clock(local)} ${local.timeZoneName}`;
  if (local.timeZoneName === 'UTC') return here;
  const utc = partsOf(at, 'UTC');
  const otherDay = utc.day === local.day ? '' : `${utc.weekday} ${utc.day} ${utc.month}, `;
  return `${here} · ${otherDay}${clock(utc)} UTC`;
}

function clock(parts: Readonly<Record<string, string>>): string {
  return `${parts.hour}:${parts.minute}:${parts.second}.${parts.fractionalSecond}`;
}

function partsOf(at: number, zone: string): Readonly<Record<string, string>> {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone, weekday: 'short', day: 'numeric', month: 'short', year: 'numeric',
    hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3,
    hourCycle: 'h23', timeZoneName: 'short',
  });
  return Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
}

/** "03:20", "03:20:05" with seconds, or "16 Nov 03:20" if that is another day than `now`. */
export function clockOf(at: number, { now = at, seconds = false, zone }: { now?: number; seconds?: boolean; zone?: string } = {}): string {
  const inZone = zone === undefined ? {} : { timeZone: zone };
  const day = new Intl.DateTimeFormat('en-GB', { ...inZone, day: 'numeric', month: 'short' });
  const time = new Intl.DateTimeFormat('en-GB', {
    ...inZone, hour: '2-digit', minute: '2-digit', ...(seconds ? { second: '2-digit' } : {}), hourCycle: 'h23',
  });
  const near = Math.abs(now - at) < DAY && day.format(at) === day.format(now);
  return near ? time.format(at) : `${day.format(at)} ${time.format(at)}`;
}

/** A count with the separators of the locale. */
export function count(value: number, locale?: string): string {
  return new Intl.NumberFormat(locale).format(value);
}

/** A count, with a + if there may be more: "214+". */
export function atLeast(value: number, exact: boolean): string {
  return `${count(value)}${exact ? '' : '+'}`;
}

/** A count that stops at `cap`: "10,000+". */
export function capped(value: number, cap = 10_000, locale?: string): string {
  return value >= cap ? `${count(cap, locale)}+` : count(value, locale);
}
