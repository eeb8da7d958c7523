// SPDX-License-Identifier: Apache-2.0
// A retry ladder as a sentence.

/** `count` retries, each `delayMs` after the failure before it; a count of 0 means forever. */
export interface Step {
  readonly count: number;
  readonly delayMs: number;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const UNITS = [
  { ms: DAY, word: 'day', short: 'd' },
  { ms: HOUR, word: 'hour', short: 'h' },
  { ms: MINUTE, word: 'minute', short: 'min' },
  { ms: SECOND, word: 'second', short: 's' },
  { ms: 1, word: 'millisecond', short: 'ms' },
] as const;

/** What the ladder does after a failure. `code` is the failure code that it is limited to. */
export function ladderSentence(steps: readonly Step[] | null, code?: string): string {
  const used = untilEndless(steps ?? []);
  const [first] = used;
  if (!first) return 'It is not tried again.';
  const opening = code === undefined ? 'After a failure' : `After a failure with ${code}`;
  if (used.length === 1 && first.count === 1) {
    return `${opening} it is tried again once, ${after(first.delayMs)}. Then it gives up.`;
  }
  const phrases = used.map((step) => phrase(step)).join('; then ');
  return `${opening}: ${phrases}.${ending(used)}`;
}

/** Steps after an endless one are never reached. */
function untilEndless(steps: readonly Step[]): readonly Step[] {
  const endless = steps.findIndex((step) => step.count === 0);
  return endless < 0 ? steps : steps.slice(0, endless + 1);
}

function phrase({ count, delayMs }: Step): string {
  if (count === 0) return `${every(delayMs)} until it succeeds`;
  if (count === 1) return `once ${after(delayMs)}`;
  return `${every(delayMs)}, ${count === 2 ? 'twice' : `${count} times`}`;
}

function ending(steps: readonly Step[]): string {
  if (steps.some((step) => step.count === 0)) return '';
  const total = steps.reduce((sum, step) => sum + step.count * step.delayMs, 0);
  return total === 0 ? ' Then it gives up.' : ` Then it gives up, ${length(total)} after the failure.`;
}

function after(ms: number): string {
  return ms === 0 ? 'immediately' : `after ${amount(ms)}`;
}

function every(ms: number): string {
  if (ms === 0) return 'immediately';
  const { value, word } = wholeUnit(ms);
  return value === 1 ? `every ${word}` : `every ${amount(ms)}`;
}

/** In one unit, as a person would have entered it: 90 minutes, not 1.5 hours. */
function amount(ms: number): string {
  const { value, word } = wholeUnit(ms);
  return `${value} ${word}${value === 1 ? '' : 's'}`;
}

function wholeUnit(ms: number): { value: number; word: string } {
  if (ms > SECOND && ms % SECOND !== 0) return { value: ms / SECOND, word: 'second' };
  const unit = UNITS.find((candidate) => ms % candidate.ms === 0) ?? UNITS[4];
  return { value: ms / unit.ms, word: unit.word };
}

/** In words if one unit is enough, else in short form: "15 minutes", "1 h 15 min". */
function length(ms: number): string {
  if (ms > SECOND && ms % SECOND !== 0) return amount(ms);
  const parts: { value: number; word: string; short: string }[] = [];
  let rest = ms;
  for (const unit of UNITS) {
    const value = Math.floor(rest / unit.ms);
    rest -= value * unit.ms;
    if (value > 0) parts.push({ value, word: unit.word, short: unit.short });
  }
  const [only] = parts;
  if (parts.length === 1 && only) return `${only.value} ${only.word}${only.value === 1 ? '' : 's'}`;
  return parts.map((part) => `${part.value} ${part.short}`).join(' ');
}

/** How many retries the ladder makes within this time after the failure, if each fails at once. */
export function retriesWithin(steps: readonly Step[], ms: number): number {
  let left = ms;
  let retries = 0;
  for (const step of untilEndless(steps)) {
    const fitting = step.delayMs === 0 ? Infinity : Math.floor(left / step.delayMs);
    const made = step.count === 0 ? fitting : Math.min(step.count, fitting);
    retries += made;
    if (made < step.count || step.count === 0) return retries;
    left -= made * step.delayMs;
  }
  return retries;
}
