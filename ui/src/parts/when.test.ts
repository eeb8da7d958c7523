// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { age, atLeast, capped, clockOf, count, duration, exact, refreshIn, refreshInterval, relative } from './when';

const NOW = Date.UTC(2026, 10, 16, 2, 10, 0);
const S = 1_000;
const MIN = 60 * S;
const H = 60 * MIN;
const D = 24 * H;

describe('times in words', () => {
  it.each([
    [41 * S, 'in 41 s'],
    [40 * S + 1, 'in 41 s'],
    [59 * S + 1, 'in 1 min'],
    [60 * S, 'in 1 min'],
    [5 * MIN, 'in 5 min'],
    [89 * S, 'in 1 min'],
    [91 * S, 'in 2 min'],
    [59 * MIN + 40 * S, 'in 1 h'],
    [5 * H, 'in 5 h'],
    [23 * H + 40 * MIN, 'in 1 day'],
    [6 * D, 'in 6 days'],
    [0, 'now'],
    [400, 'now'],
    [-900, 'now'],
    [-3 * S, '3 s ago'],
    [-(8 * MIN + 59 * S), '8 min ago'],
    [-D, '1 day ago'],
    [-1_200 * D, '1,200 days ago'],
  ])('%d ms is "%s"', (distance, words) => {
    expect(relative(NOW + distance, NOW)).toBe(words);
  });

  it('tell an age without "ago"', () => {
    expect(age(NOW - 8 * MIN, NOW)).toBe('8 min');
    expect(age(NOW + 5 * S, NOW)).toBe('0 s');
  });
});

describe('countdown', () => {
  it('refreshes every second below a minute, every 10 s below an hour, else every minute', () => {
    expect(refreshInterval(59 * S)).toBe(S);
    expect(refreshInterval(MIN)).toBe(10 * S);
    expect(refreshInterval(H - 1)).toBe(10 * S);
    expect(refreshInterval(H)).toBe(MIN);
    expect(refreshInterval(-5 * S)).toBe(S);
  });

  it('ticks on whole seconds', () => {
    expect(refreshIn(NOW + 41_300, NOW)).toBe(300);
    expect(refreshIn(NOW + 41_000, NOW)).toBe(S);
  });

  it('does not sleep through the last minute or the last hour', () => {
    expect(refreshIn(NOW + MIN + 2_500, NOW)).toBe(2_501);
    expect(refreshIn(NOW + H + 10 * S, NOW)).toBe(10 * S + 1);
    expect(refreshIn(NOW + MIN, NOW)).toBe(1);
  });

  it('slows down once the time has passed', () => {
    expect(refreshIn(NOW - 5 * S, NOW)).toBe(S);
    expect(refreshIn(NOW - 2 * H, NOW)).toBe(MIN);
  });
});

describe('lengths', () => {
  it.each([
    [0, '0 ms'], [12, '12 ms'], [800, '0.8 s'], [1_200, '1.2 s'], [5_000, '5 s'], [9_960, '10 s'],
    [41_000, '41 s'], [59_600, '1 min'], [4 * MIN + 12 * S, '4 min 12 s'], [59 * MIN + 59_700, '1 h'],
    [75 * MIN, '1 h 15 min'], [23 * H + 59 * MIN + 40 * S, '1 d'], [7 * D, '7 d'], [7 * D + 3 * H, '7 d 3 h'], [-5, '0 ms'],
  ])('%d ms is "%s"', (ms, words) => {
    expect(duration(ms)).toBe(words);
  });
});

describe('exact times', () => {
  const at = Date.UTC(2026, 10, 16, 2, 11, 20, 412);

  it('name the zone of the viewer and UTC', () => {
    expect(exact(at, 'Europe/Paris')).toBe('Mon 16 Nov 2026, 03:11:20.412 CET · 02:11:20.412 UTC');
  });

  it('name UTC once', () => {
    expect(exact(at, 'UTC')).toBe('Mon 16 Nov 2026, 02:11:20.412 UTC');
  });

  it('name the day in UTC if it is another one', () => {
    expect(exact(Date.UTC(2026, 10, 15, 23, 30), 'Europe/Paris'))
      .toBe('Mon 16 Nov 2026, 00:30:00.000 CET · Sun 15 Nov, 23:30:00.000 UTC');
  });
});

describe('times of day', () => {
  const at = Date.UTC(2026, 10, 16, 2, 11, 20);

  it('name the day only if it is another one', () => {
    expect(clockOf(at, { zone: 'UTC' })).toBe('02:11');
    expect(clockOf(at, { zone: 'UTC', seconds: true })).toBe('02:11:20');
    expect(clockOf(at, { zone: 'UTC', now: at + 20 * H })).toBe('02:11');
    expect(clockOf(at, { zone: 'UTC', now: at + 23 * H })).toBe('16 Nov 02:11');
    expect(clockOf(at, { zone: 'UTC', now: at + 365 * D })).toBe('16 Nov 02:11');
  });
});

describe('counts', () => {
  it('say that there may be more', () => {
    expect([atLeast(214, true), atLeast(214, false)]).toEqual(['214', '214+']);
  });

  it('have the separators of the locale', () => {
    expect(count(1_234_567, 'en')).toBe('1,234,567');
    expect(count(1_234_567, 'de')).toBe('1.234.567');
  });

  it('say when counting stopped', () => {
    expect(capped(9_999, 10_000, 'en')).toBe('9,999');
    expect(capped(10_000, 10_000, 'en')).toBe('10,000+');
  });
});
