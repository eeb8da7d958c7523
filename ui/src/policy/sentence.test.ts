// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { ladderSentence, retriesWithin } from './sentence';
import type { Step } from './sentence';

const UNIT: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Reads "5×5m, ∞×60m". */
function ladder(text: string): Step[] {
  return text.split(', ').map((step) => {
    const [, count, value, unit] = /^(\d+|∞)×(\d+)(ms|s|m|h|d)$/.exec(step) ?? [];
    return { count: count === '∞' ? 0 : Number(count), delayMs: Number(value) * (UNIT[unit ?? ''] ?? NaN) };
  });
}

describe('the eight sentences', () => {
  it('off', () => {
    expect(ladderSentence(null)).toBe('It is not tried again.');
    expect(ladderSentence([])).toBe('It is not tried again.');
  });

  it.each([
    ['1×5m', 'After a failure it is tried again once, after 5 minutes. Then it gives up.'],
    ['3×5m', 'After a failure: every 5 minutes, 3 times. Then it gives up, 15 minutes after the failure.'],
    ['5×5m, 5×10m',
      'After a failure: every 5 minutes, 5 times; then every 10 minutes, 5 times. Then it gives up, 1 h 15 min after the failure.'],
    ['5×5m, 5×10m, ∞×60m',
      'After a failure: every 5 minutes, 5 times; then every 10 minutes, 5 times; then every hour until it succeeds.'],
    ['∞×1m', 'After a failure: every minute until it succeeds.'],
    ['1×1m, ∞×1h', 'After a failure: once after 1 minute; then every hour until it succeeds.'],
  ])('%s', (steps, sentence) => {
    expect(ladderSentence(ladder(steps))).toBe(sentence);
  });

  it('with a failure code', () => {
    expect(ladderSentence(ladder('∞×1m'), 'no_slots'))
      .toBe('After a failure with no_slots: every minute until it succeeds.');
    expect(ladderSentence(ladder('1×5m'), 'no_slots'))
      .toBe('After a failure with no_slots it is tried again once, after 5 minutes. Then it gives up.');
  });
});

describe('units', () => {
  it.each([
    ['∞×250ms', 'every 250 milliseconds'],
    ['∞×1s', 'every second'],
    ['∞×1500ms', 'every 1.5 seconds'],
    ['∞×90s', 'every 90 seconds'],
    ['∞×90m', 'every 90 minutes'],
    ['∞×120m', 'every 2 hours'],
    ['∞×36h', 'every 36 hours'],
    ['∞×1d', 'every day'],
    ['∞×7d', 'every 7 days'],
  ])('%s is %s', (steps, words) => {
    expect(ladderSentence(ladder(steps))).toBe(`After a failure: ${words} until it succeeds.`);
  });

  it.each([
    ['4×15m', '1 hour'],
    ['2×30s', '1 minute'],
    ['2×12h', '1 day'],
    ['3×20h', '2 d 12 h'],
    ['3×50s', '2 min 30 s'],
    ['3×500ms', '1.5 seconds'],
  ])('%s gives up after %s', (steps, words) => {
    expect(ladderSentence(ladder(steps))).toContain(`Then it gives up, ${words} after the failure.`);
  });
});

describe('edge cases', () => {
  it('says "twice"', () => {
    expect(ladderSentence(ladder('2×5m')))
      .toBe('After a failure: every 5 minutes, twice. Then it gives up, 10 minutes after the failure.');
  });

  it('says "immediately" instead of a delay of 0', () => {
    expect(ladderSentence(ladder('1×0s'))).toBe('After a failure it is tried again once, immediately. Then it gives up.');
    expect(ladderSentence(ladder('3×0s'))).toBe('After a failure: immediately, 3 times. Then it gives up.');
    expect(ladderSentence(ladder('1×0s, 2×5m')))
      .toBe('After a failure: once immediately; then every 5 minutes, twice. Then it gives up, 10 minutes after the failure.');
  });

  it('ends with a single retry', () => {
    expect(ladderSentence(ladder('2×5m, 1×1h')))
      .toBe('After a failure: every 5 minutes, twice; then once after 1 hour. Then it gives up, 1 h 10 min after the failure.');
  });

  it('leaves out steps that are never reached', () => {
    expect(ladderSentence(ladder('∞×1m, 3×5m'))).toBe('After a failure: every minute until it succeeds.');
  });
});

describe('retries within a time', () => {
  it('are 8 in the first hour and 32 in the first day', () => {
    const steps = ladder('5×5m, 5×10m, ∞×60m');
    expect(retriesWithin(steps, 3_600_000)).toBe(8);
    expect(retriesWithin(steps, 86_400_000)).toBe(32);
  });

  it('end with the ladder', () => {
    expect(retriesWithin(ladder('3×5m'), 86_400_000)).toBe(3);
    expect(retriesWithin(ladder('3×5m'), 5 * 60_000)).toBe(1);
    expect(retriesWithin(ladder('2×0s, 1×1h'), 60_000)).toBe(2);
  });
});
