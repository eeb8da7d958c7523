// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { bucketWords, columnsOf, isolated, seriesSentence, seriesTicks, spread, tickWords, topOfSeries } from './series';
import type { SeriesData } from './series';

const data: SeriesData = {
  from: '2026-11-16T02:10:00Z', step_ms: 60_000, forming: true,
  succeeded: [5, null, 7, 8, 2], failed: [0, null, 3, 40, 1], retried: [0, null, 1, 30, 0],
};

describe('columns', () => {
  it('have times in seconds and keep gaps as gaps', () => {
    const [times, succeeded, failed] = columnsOf(data);
    expect(times).toEqual([0, 1, 2, 3, 4].map((minute) => Date.parse('2026-11-16T02:10:00Z') / 1_000 + minute * 60));
    expect(succeeded).toEqual([5, null, 7, 8, null]);
    expect(failed).toEqual([0, null, 3, 40, null]);
  });

  it('draw the bucket that still grows apart, joined to the one before', () => {
    expect(columnsOf(data).slice(4)).toEqual([[null, null, null, 8, 2], [null, null, null, 40, 1], [null, null, null, 30, 0]]);
  });

  it('are complete if no bucket grows', () => {
    const [, succeeded, , , growing] = columnsOf({ ...data, forming: false });
    expect(succeeded).toEqual([5, null, 7, 8, 2]);
    expect(growing).toEqual([null, null, null, null, null]);
  });

  it('show a value between two gaps as a point', () => {
    expect(isolated(data.succeeded)).toEqual([0]);
    expect(isolated([null, 1, null, 1, 1])).toEqual([1]);
  });
});

describe('words', () => {
  it('sum up the window and name the worst bucket', () => {
    expect(seriesSentence(data, '1h', 'UTC')).toBe(
      'In the last hour, 22 attempts succeeded and 44 failed; 31 retries started. The most failures, 40, came at 02:13.');
  });

  it('tell nothing from no node', () => {
    const none = [null, null];
    expect(seriesSentence({ ...data, succeeded: none, failed: none, retried: none }, '24h')).toBe('No node ran in the last 24 hours.');
    const zero = [0, null];
    expect(seriesSentence({ ...data, succeeded: zero, failed: zero, retried: zero }, '15m')).toBe('No attempt ended in the last 15 minutes.');
  });

  it('say one bucket', () => {
    expect(bucketWords(data, 2, 'UTC')).toBe('02:12: 7 succeeded, 3 failed, 1 retried');
    expect(bucketWords(data, 1, 'UTC')).toBe('02:11: no node ran');
    expect(bucketWords(data, 4, 'UTC')).toBe('02:14: 2 succeeded, 1 failed, 0 retried, so far');
  });
});

describe('the axes', () => {
  const long = (step_ms: number, length: number): SeriesData => ({ ...data, step_ms, succeeded: Array.from({ length }, () => 0) });
  const words = (series: SeriesData, most: number, offset = 0) =>
    seriesTicks(series, most, () => offset).map((at) => new Date(at + offset).toISOString().slice(8, 16));

  it('have few labels, at whole times of the viewer', () => {
    expect(words(long(60_000, 60), 4)).toEqual(['16T02:15', '16T02:30', '16T02:45', '16T03:00']);
    expect(words(long(600_000, 144), 4, 3_600_000)).toEqual(['16T06:00', '16T12:00', '16T18:00', '17T00:00']);
    expect(words({ ...long(3_600_000, 336), from: '2026-11-16T02:00:00Z' }, 4).every((text) => text.endsWith('T00:00'))).toBe(true);
  });

  it('name days once buckets are hours', () => {
    expect(tickWords(Date.parse('2026-11-16T00:00:00Z'), 3_600_000, 'UTC')).toBe('Mon 16');
    expect(tickWords(Date.parse('2026-11-16T02:15:00Z'), 60_000, 'UTC')).toBe('02:15');
  });

  it('begin at 0 and end at a number with a whole half', () => {
    expect([0, 1, 3, 7, 41, 60, 61, 950].map(topOfSeries)).toEqual([2, 2, 4, 8, 60, 60, 80, 1_000]);
  });
});

it('moves labels apart', () => {
  expect(spread([10, 50, 90], 14, 100)).toEqual([10, 50, 90]);
  expect(spread([98, 99, 40], 14, 100)).toEqual([85, 99, 40]);
  expect(spread([100, 100, 100], 14, 96)).toEqual([68, 82, 96]);
});
