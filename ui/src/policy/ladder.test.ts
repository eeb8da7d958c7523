// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { addStep, errorsOf, fromPolicy, matcherOf, moveStep, nextDelay, readCount, readSteps, shownCount, ticksOf, toPolicy } from './ladder';
import type { StepDraft } from './ladder';

const step = (id: number, count: string, delay: string, unit: StepDraft['unit'] = 'min'): StepDraft => ({ id, count, delay, unit });
const SHORT = [{ count: 5, delay_minutes: 5 }, { count: 5, delay_minutes: 10 }, { count: 0, delay_minutes: 60 }];

describe('counts', () => {
  it.each(['0', '∞', 'inf', 'INF', '', ' '])('%j means forever', (text) => {
    expect(readCount(text)).toBe(0);
    expect(shownCount(text)).toBe('∞');
  });

  it('are whole numbers', () => {
    expect(readCount(' 12 ')).toBe(12);
    expect(readCount('1.5')).toBeNull();
    expect(readCount('-1')).toBeNull();
    expect(shownCount('some')).toBe('some');
  });
});

describe('errors', () => {
  it('stand at their field', () => {
    expect(errorsOf([step(1, '∞', '5'), step(2, 'x', ''), step(3, '0', '0')])).toEqual([
      { id: 1, field: 'count', message: 'Only the last step can go on forever.' },
      { id: 2, field: 'count', message: 'Enter a whole number, or ∞ to repeat forever.' },
      { id: 2, field: 'delay', message: 'Enter a number.' },
      { id: 3, field: 'delay', message: 'A step that repeats forever needs a delay.' },
    ]);
    expect(errorsOf([step(1, '5', '5'), step(2, '∞', '1', 'h')])).toEqual([]);
  });
});

describe('a new step', () => {
  it('copies the last one with the next sensible delay', () => {
    expect(addStep([step(4, '3', '5')])).toEqual([step(4, '3', '5'), step(5, '3', '10')]);
    expect(addStep([])).toEqual([step(1, '5', '10')]);
  });

  it('takes over being endless', () => {
    expect(addStep([step(1, '2', '5'), step(2, '∞', '10')])).toEqual([step(1, '2', '5'), step(2, '5', '10'), step(3, '∞', '30')]);
  });

  it('goes 5, 10, 30 min, 1 h, 6 h, 1 d', () => {
    const delays = [nextDelay(0)];
    while (nextDelay(delays.at(-1)!) !== delays.at(-1)) delays.push(nextDelay(delays.at(-1)!));
    expect(delays.map((ms) => ms / 60_000)).toEqual([5, 10, 30, 60, 360, 1440]);
  });
});

it('moves a step', () => {
  const steps = [step(1, '1', '1'), step(2, '2', '2'), step(3, '3', '3')];
  expect(moveStep(steps, 0, 2).map(({ id }) => id)).toEqual([2, 3, 1]);
  expect(moveStep(steps, 2, 1).map(({ id }) => id)).toEqual([1, 3, 2]);
  expect(moveStep(steps, 0, -1)).toBe(steps);
  expect(moveStep(steps, 2, 3)).toBe(steps);
});

describe('the policy', () => {
  it('in the short form survives the editor', () => {
    const draft = fromPolicy(SHORT);
    expect(draft?.steps).toEqual([step(1, '5', '5'), step(2, '5', '10'), step(3, '∞', '1', 'h')]);
    expect(toPolicy(draft!)).toEqual(SHORT);
    expect(readSteps(draft!.steps)?.[2]).toEqual({ count: 0, delayMs: 3_600_000 });
  });

  it('in the canonical form keeps what the editor does not know', () => {
    const policy = {
      max_retries: null, backoff: { type: 'ladder', steps: [{ count: 2, delay: '90m' }] }, jitter: { type: 'spread', factor: 0.1 },
      retry_on: ['code:no_slots', '5xx', 'code:timeout'], expires_after: '14d',
    };
    const draft = fromPolicy(policy)!;
    expect(draft.steps).toEqual([step(1, '2', '90')]);
    expect(draft.only).toEqual(['no_slots', '5xx', 'code:timeout']);
    expect(toPolicy(draft)).toEqual(policy);
  });

  it('is written in the canonical form if it is limited to some failures', () => {
    expect(toPolicy({ ...fromPolicy([{ count: 1, delay_minutes: 0.5 }])!, only: ['no_slots'] })).toEqual({
      jitter: 'none', backoff: { type: 'ladder', steps: [{ count: 1, delay: '30s' }] }, retry_on: ['code:no_slots'],
    });
  });

  it.each([null, {}, { preset: 'http' }, { backoff: { type: 'fixed', delay: '1s' } }, [], [1], [{ count: 'x', delay_minutes: 1 }],
    { backoff: { type: 'ladder', steps: [{ count: 1, delay: 'soon' }] } }])('that is not a ladder is left alone: %j', (policy) => {
    expect(fromPolicy(policy)).toBeNull();
  });

  it('cannot be written while a step cannot be read', () => {
    expect(toPolicy({ steps: [step(1, 'x', '5')], only: [], rest: {} })).toBeNull();
  });
});

it.each([['no_slots', 'code:no_slots'], ['timeout', 'timeout'], ['5xx', '5xx'], ['429', '429'], ['500-503', '500-503'], ['code:a', 'code:a']])(
  'reads %s as %s', (word, matcher) => {
    expect(matcherOf(word)).toBe(matcher);
  });

describe('ticks', () => {
  it('are the instants of the retries', () => {
    expect(ticksOf([{ count: 2, delayMs: 5 }, { count: 1, delayMs: 10 }])).toEqual({ at: [5, 10, 20], goesOn: false });
  });

  it('of an endless step are a few', () => {
    expect(ticksOf([{ count: 0, delayMs: 1 }])).toEqual({ at: [1, 2, 3, 4, 5], goesOn: true });
  });

  it('have a limit', () => {
    expect(ticksOf([{ count: 1_000_000, delayMs: 1 }]).at).toHaveLength(80);
  });
});
