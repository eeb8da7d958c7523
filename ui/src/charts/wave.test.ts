// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { barsOf, barWords, clock, countWithin, isWindow, spanOf, spanWords, ticksOf, topOf, totalsOf, waveSentence } from './wave';
import type { WaveData } from './wave';

const wave: WaveData = {
  now: '2026-11-16T02:10:39.412Z', from: '2026-11-16T02:10:00Z', step_ms: 60_000, overdue: 0, later: 0, estimated: false,
  counts: [3, 0, 297, 0],
  by_kind: [{ kind: 'charge-card', counts: [3, 0, 280, 0] }, { kind: '', counts: [0, 0, 17, 0] }],
};
const plain = { ...wave, by_kind: null };

describe('bars', () => {
  it('are stacked by kind', () => {
    const bars = barsOf(wave);
    expect(bars[2]).toEqual({
      from: Date.parse('2026-11-16T02:12:00Z'), to: Date.parse('2026-11-16T02:13:00Z'), count: 297,
      parts: [{ kind: 'charge-card', rank: 0, count: 280 }, { kind: '', rank: 1, count: 17 }],
    });
    expect(bars[1]?.parts).toEqual([]);
  });

  it('have one part if the answer is not split', () => {
    expect(barsOf(plain)[0]?.parts).toEqual([{ kind: '', rank: 0, count: 3 }]);
    expect(barsOf({ ...wave, by_kind: [] })[0]?.parts).toHaveLength(1);
  });

  it.each([[[0], 1], [[1], 1], [[3], 5], [[297], 500], [[1000], 1000], [[1001], 2000], [[6], 10]])(
    'of %j reach up to %d', (counts, top) => {
      expect(topOf({ ...plain, counts })).toBe(top);
    });

  it('leave room for the usual load', () => {
    expect(topOf({ ...plain, counts: [3], usual: 52.4 })).toBe(100);
  });

  it('are summed by kind', () => {
    expect(totalsOf(wave)).toEqual([{ kind: 'charge-card', rank: 0, count: 283 }, { kind: '', rank: 1, count: 17 }]);
    expect(totalsOf(plain)).toEqual([]);
  });
});

describe('the sentence', () => {
  const say = (changes: Partial<WaveData>) => waveSentence({ ...plain, ...changes }, 'hour', 'UTC');

  it('names the tallest bar', () => {
    expect(say({})).toBe('300 retries come in the next hour. The most, 297, come at 02:12.');
  });

  it('compares it with the usual load', () => {
    expect(say({ usual: 70 })).toBe('300 retries come in the next hour. The most, 297, come at 02:12, about 4 × the usual load.');
    expect(say({ usual: 200 })).toBe('300 retries come in the next hour. The most, 297, come at 02:12.');
  });

  it('tells what is due already', () => {
    expect(say({ overdue: 41 })).toBe('300 retries come in the next hour. The most, 297, come at 02:12. 41 retries are due now.');
  });

  it('says one retry', () => {
    expect(say({ counts: [0, 1], overdue: 1 })).toBe('1 retry comes in the next hour, at 02:11. 1 retry is due now.');
  });

  it('says that there is none', () => {
    expect(say({ counts: [0, 0], later: 1 })).toBe('No retry is due in the next hour. 1 retry comes later.');
    const next = new Date(Date.parse(plain.now) + 6 * 86_400_000).toISOString();
    expect(waveSentence({ ...plain, counts: [0, 0], later: 1 }, 'hour', 'UTC', next)).toBe('No retry is due in the next hour. The next one comes in 6 days.');
    expect(waveSentence({ ...plain, counts: [0] }, 'fortnight')).toBe('No retry is due in the next 14 days.');
  });

  it('says about if the numbers are estimated', () => {
    expect(say({ estimated: true })).toBe('About 300 retries come in the next hour. The most, about 297, come at 02:12.');
  });
});

describe('one bar in words', () => {
  it('names its kinds', () => {
    expect(barWords(barsOf(wave)[2]!, 'UTC')).toBe('02:12, 1 min: 297 retries. charge-card 280, other kinds 17.');
    expect(barWords(barsOf(plain)[2]!, 'UTC')).toBe('02:12, 1 min: 297 retries.');
    expect(barWords(barsOf(wave)[1]!, 'UTC')).toBe('02:11, 1 min: 0 retries.');
  });
});

describe('times', () => {
  const at = Date.parse('2026-11-16T02:10:05Z');

  it('are as exact as a bucket', () => {
    expect(clock(at, 1_000, 'UTC')).toBe('02:10:05');
    expect(clock(at, 60_000, 'UTC')).toBe('02:10');
    expect(clock(at, 900_000, 'UTC')).toBe('Mon 16 02:10');
  });

  it('label the axis without crowding it', () => {
    const bars = barsOf({ ...plain, from: '2026-11-16T02:13:00Z', counts: Array.from({ length: 60 }, () => 1) });
    expect(ticksOf(bars, 6, 'UTC').map((tick) => tick.label)).toEqual(['02:20', '02:30', '02:40', '02:50', '03:00', '03:10']);
    expect(ticksOf(bars, 3, 'UTC').map((tick) => tick.index)).toEqual([7, 27, 47]);
    const days = barsOf({ ...plain, step_ms: 21_600_000, from: '2026-11-16T06:00:00Z', counts: Array.from({ length: 56 }, () => 1) });
    expect(ticksOf(days, 7, 'UTC').map((tick) => tick.label))
      .toEqual(['Tue 17', 'Thu 19', 'Sat 21', 'Mon 23', 'Wed 25', 'Fri 27', 'Sun 29']);
  });
});

describe('a chosen span', () => {
  const bars = barsOf(wave);

  it('reaches from the first bar to the end of the last, in either direction', () => {
    const span = { from: bars[1]!.from, to: bars[2]!.to };
    expect(spanOf(bars, 1, 2)).toEqual(span);
    expect(spanOf(bars, 2, 1)).toEqual(span);
    expect(spanOf(bars, 9, 9)).toBeNull();
    expect(spanWords(span, 60_000, 'UTC')).toBe('02:11 to 02:13');
  });

  it('counts what it holds', () => {
    expect(countWithin(bars, spanOf(bars, 0, 2)!)).toBe(300);
    expect(countWithin(bars, spanOf(bars, 1, 1)!)).toBe(0);
  });
});

it('knows the windows', () => {
  expect(isWindow('day')).toBe(true);
  expect(isWindow('year')).toBe(false);
});
