// SPDX-License-Identifier: Apache-2.0
// The ladder editor without its looks: what is typed, what it means, and what is wrong with it.
import { durationText, inUnit, msOf, parseDuration } from './duration';
import type { Unit } from './duration';
import type { Step } from './sentence';

/** A step as it is typed. The id stays with the step when it moves. */
export interface StepDraft {
  readonly id: number;
  readonly count: string;
  readonly delay: string;
  readonly unit: Unit;
}

export interface LadderDraft {
  readonly steps: readonly StepDraft[];
  /** The failures that are retried; all if empty. "no_slots" stands for the matcher code:no_slots. */
  readonly only: readonly string[];
  /** Other fields of the policy, which the editor keeps. */
  readonly rest: Readonly<Record<string, unknown>>;
}

export interface StepError {
  readonly id: number;
  readonly field: 'count' | 'delay';
  readonly message: string;
}

const MINUTE = 60_000;
export const MOST_STEPS = 50;

/** 5 → 10 → 30 min → 1 h → 6 h → 1 d */
const SENSIBLE_MS = [5, 10, 30, 60, 360, 1_440].map((minutes) => minutes * MINUTE);

export const FIRST_LADDER: LadderDraft = {
  steps: [{ id: 1, count: '5', delay: '5', unit: 'min' }, { id: 2, count: '5', delay: '10', unit: 'min' }, { id: 3, count: '∞', delay: '1', unit: 'h' }],
  only: [], rest: {},
};

/** The count of a step: 0 for forever; null if it is not a count. */
export function readCount(text: string): number | null {
  const trimmed = text.trim().toLowerCase();
  if (['', '0', '∞', 'inf'].includes(trimmed)) return 0;
  return /^\d{1,9}$/.test(trimmed) ? Number(trimmed) : null;
}

/** Forever is always shown as ∞. */
export function shownCount(text: string): string {
  const number = readCount(text);
  if (number === null) return text;
  return number === 0 ? '∞' : String(number);
}

/** The steps as the sentence and the server understand them; null if one cannot be read. */
export function readSteps(steps: readonly StepDraft[]): Step[] | null {
  const read = steps.map((step) => ({ count: readCount(step.count), delayMs: msOf(step.delay, step.unit) }));
  return read.every((step): step is Step => step.count !== null && step.delayMs !== null) ? read : null;
}

/** Everything that is wrong, each at its field. */
export function errorsOf(steps: readonly StepDraft[]): StepError[] {
  return steps.flatMap((step, i) => {
    const number = readCount(step.count);
    const errors: StepError[] = [];
    if (number === null) errors.push({ id: step.id, field: 'count', message: 'Enter a whole number, or ∞ to repeat forever.' });
    if (number === 0 && i < steps.length - 1) {
      errors.push({ id: step.id, field: 'count', message: 'Only the last step can go on forever.' });
    }
    const delay = msOf(step.delay, step.unit);
    if (delay === null) errors.push({ id: step.id, field: 'delay', message: 'Enter a number.' });
    else if (delay === 0 && number === 0) errors.push({ id: step.id, field: 'delay', message: 'A step that repeats forever needs a delay.' });
    return errors;
  });
}

/** A copy of the last step with the next sensible delay. The step before it can no longer be endless. */
export function addStep(steps: readonly StepDraft[]): StepDraft[] {
  const last = steps.at(-1) ?? { count: '5', delay: '5', unit: 'min' as const };
  const id = Math.max(0, ...steps.map((step) => step.id)) + 1;
  const delay = msOf(last.delay, last.unit) ?? 0;
  const { amount, unit } = inUnit(nextDelay(delay));
  const endless = readCount(last.count) === 0;
  const kept = endless ? [...steps.slice(0, -1), ...steps.slice(-1).map((step) => ({ ...step, count: '5' }))] : steps;
  return [...kept, { id, count: endless ? '∞' : last.count, delay: amount, unit }];
}

export function nextDelay(ms: number): number {
  return SENSIBLE_MS.find((sensible) => sensible > ms) ?? ms;
}

/** The steps with one of them elsewhere; unchanged if there is no such place. */
export function moveStep(steps: readonly StepDraft[], from: number, to: number): readonly StepDraft[] {
  const moved = steps[from];
  if (!moved || to < 0 || to >= steps.length || from === to) return steps;
  return steps.toSpliced(from, 1).toSpliced(to, 0, moved);
}

// ---- the policy of the API

/** Reads a policy that is a ladder, in either form of the API; null if it is another policy. */
export function fromPolicy(policy: unknown): LadderDraft | null {
  if (Array.isArray(policy)) return draftOf(policy, (step) => minutes(step.delay_minutes), {});
  if (!isObject(policy) || !isObject(policy.backoff) || policy.backoff.type !== 'ladder') return null;
  const { backoff: { steps }, ...rest } = policy as { backoff: { steps?: unknown } };
  return draftOf(steps, (step) => parseDuration(step.delay), rest);
}

function draftOf(
  steps: unknown, delayOf: (step: Record<string, unknown>) => number | null, { retry_on: matchers, ...rest }: Record<string, unknown>,
): LadderDraft | null {
  if (!Array.isArray(steps) || steps.length === 0 || !steps.every(isObject)) return null;
  const read = steps.map((step, i): StepDraft | null => {
    const delay = delayOf(step);
    if (delay === null || typeof step.count !== 'number') return null;
    const { amount, unit } = inUnit(delay);
    return { id: i + 1, count: shownCount(String(step.count)), delay: amount, unit };
  });
  if (!read.every((step) => step !== null)) return null;
  const only = Array.isArray(matchers) ? matchers.map(String).map(shownMatcher) : [];
  return { steps: read, only: only.includes('*') ? [] : only, rest };
}

/** The policy to send: the short form if it says everything. */
export function toPolicy({ steps, only, rest }: LadderDraft): object | null {
  const read = readSteps(steps);
  if (!read) return null;
  if (only.length === 0 && Object.keys(rest).length === 0) {
    return read.map(({ count, delayMs }) => ({ count, delay_minutes: delayMs / MINUTE }));
  }
  return {
    jitter: 'none',
    ...rest,
    backoff: { type: 'ladder', steps: read.map(({ count, delayMs }) => ({ count, delay: durationText(delayMs) })) },
    ...(only.length === 0 ? {} : { retry_on: only.map(matcherOf) }),
  };
}

const MATCHER = /^(\d{3}(-\d{3})?|\dxx|timeout|webhook_failure|explicit|exception|http|\*|code:.*|exception:.*)$/;

/** A word that is no matcher of the API is a failure code. */
export function matcherOf(word: string): string {
  return MATCHER.test(word) ? word : `code:${word}`;
}

function shownMatcher(matcher: string): string {
  const code = matcher.replace(/^code:/, '');
  return MATCHER.test(code) ? matcher : code;
}

function minutes(value: unknown): number | null {
  return typeof value === 'number' && value >= 0 ? Math.round(value * MINUTE) : null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// ---- the bar of ticks

const MOST_TICKS = 80;
const ENDLESS_TICKS = 5;

/** When the retries come, in milliseconds after the failure, if each fails at once. */
export function ticksOf(steps: readonly Step[]): { at: readonly number[]; goesOn: boolean } {
  const at: number[] = [];
  for (const { count, delayMs } of steps) {
    const wanted = count === 0 ? ENDLESS_TICKS : count;
    for (let i = 0; i < wanted && at.length < MOST_TICKS; i++) at.push((at.at(-1) ?? 0) + delayMs);
    if (at.length === MOST_TICKS || count === 0) return { at, goesOn: true };
  }
  return { at, goesOn: false };
}
