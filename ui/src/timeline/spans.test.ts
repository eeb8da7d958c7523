// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { layOut, logWeight, placeOf, runsOf, segmentsOf, withPlan } from './spans';
import type { Entry, Segment } from './spans';

const MINUTE = 60_000;
const DAY = 86_400_000;

function failures(count: number, every = 5 * MINUTE): Entry[] {
  return Array.from({ length: count }, (_, i) => ({
    number: i, startedAt: i * every, endedAt: i * every + 1_000, outcome: 'failure' as const,
  }));
}

function wait(from: number, to: number): Segment {
  return { type: 'wait', from, to };
}

describe('widths on the log scale', () => {
  it('follow least + free × w/Σw with w = log2(2 + ms/250)', () => {
    const boxes = layOut([wait(0, 500), wait(500, 500 + 7_500)], 300, 'log', 20);
    // w = log2(4) = 2 and log2(32) = 5, free = 300 − 2 × 20 = 260
    expect(boxes[0]?.width).toBeCloseTo(20 + (260 * 2) / 7, 9);
    expect(boxes[1]?.width).toBeCloseTo(20 + (260 * 5) / 7, 9);
    expect(boxes[1]?.x).toBeCloseTo(boxes[0]?.width ?? 0, 9);
  });

  it('give an empty segment the weight 1', () => {
    expect(logWeight(0)).toBe(1);
  });

  it('keep 0.8 s and 7 days visible and in order', () => {
    const [short, long] = layOut([wait(0, 800), wait(800, 800 + 7 * DAY)], 600);
    expect(short?.width).toBeGreaterThan(50);
    expect(long?.width).toBeGreaterThan(short?.width ?? 0);
  });

  it('fill the line exactly', () => {
    const segments = segmentsOf(runsOf(failures(9)));
    const sum = layOut(segments, 640).reduce((total, box) => total + box.width, 0);
    expect(sum).toBeCloseTo(640, 6);
  });

  it('shrink the least width when the line is too short', () => {
    const boxes = layOut(segmentsOf(runsOf(failures(30))), 100);
    expect(boxes.every((box) => box.width > 0)).toBe(true);
    expect(boxes.reduce((total, box) => total + box.width, 0)).toBeCloseTo(100, 6);
  });
});

describe('widths to scale', () => {
  it('are proportional to time', () => {
    const boxes = layOut([wait(0, 1_000), wait(1_000, 4_000)], 400, 'linear');
    expect(boxes.map((box) => box.width)).toEqual([100, 300]);
  });

  it('are even if nothing took any time', () => {
    expect(layOut([wait(5, 5), wait(5, 5)], 80, 'linear').map((box) => box.width)).toEqual([40, 40]);
  });

  it('are empty for no segments', () => {
    expect(layOut([], 400, 'linear')).toEqual([]);
    expect(layOut([], 400, 'log')).toEqual([]);
  });
});

describe('folding', () => {
  it('leaves 40 attempts as they are', () => {
    const segments = segmentsOf(runsOf(failures(40)));
    expect(segments.filter((segment) => segment.type === 'run')).toHaveLength(40);
    expect(segments.some((segment) => segment.type === 'fold')).toBe(false);
  });

  it('keeps the first 3 and the last 20 of more than 40', () => {
    const segments = segmentsOf(runsOf(failures(54)));
    const attempts = segments.flatMap((segment) => (segment.type === 'run' ? [segment.attempt] : []));
    expect(attempts).toHaveLength(23);
    expect(attempts.slice(0, 4)).toEqual([1, 2, 3, 35]);
    expect(segments.find((segment) => segment.type === 'fold'))
      .toMatchObject({ attempts: 31, every: 5 * MINUTE, from: 3 * 5 * MINUTE });
  });

  it('does not name a rhythm that is not there', () => {
    const uneven = failures(54).map((entry, i) => {
      const shift = i === 20 ? 2 * MINUTE : 0;
      return { ...entry, startedAt: (entry.startedAt ?? 0) + shift, endedAt: entry.endedAt + shift };
    });
    expect(segmentsOf(runsOf(uneven)).find((segment) => segment.type === 'fold')).toMatchObject({ every: null });
  });

  it('expands on request', () => {
    expect(segmentsOf(runsOf(failures(54)), true).some((segment) => segment.type === 'fold')).toBe(false);
  });
});

describe('runs', () => {
  it('count attempts from 1 and wait in between', () => {
    const segments = segmentsOf(runsOf(failures(2, 10_000)));
    expect(segments).toMatchObject([
      { type: 'run', attempt: 1, from: 0, to: 1_000 },
      { type: 'wait', from: 1_000, to: 10_000 },
      { type: 'run', attempt: 2, from: 10_000, to: 11_000 },
    ]);
  });

  it('show a lost worker as a mark, not as an attempt', () => {
    const runs = runsOf([
      { number: 0, startedAt: 0, endedAt: 500, outcome: 'lost' },
      { number: 0, startedAt: 900, endedAt: 1_500, outcome: 'success' },
    ]);
    expect(runs).toEqual([{
      type: 'run', attempt: 1, from: 0, to: 1_500, outcome: 'success', label: '',
      marks: [{ at: 500, outcome: 'lost' }],
    }]);
  });

  it('include the attempt that runs now', () => {
    const open = { number: 1, from: 5_000, now: 6_000 };
    expect(runsOf(failures(1), open)[1]).toMatchObject({ attempt: 2, from: 5_000, to: 6_000, outcome: 'running' });
    const lost: Entry = { number: 1, startedAt: 5_000, endedAt: 5_500, outcome: 'lost' };
    expect(runsOf([lost], open)).toMatchObject([{ attempt: 2, to: 6_000, outcome: 'running' }]);
  });

  it('never end before they start', () => {
    expect(runsOf([{ number: 0, startedAt: 10, endedAt: 4, outcome: 'failure' }])[0]).toMatchObject({ from: 10, to: 10 });
  });
});

it('places now inside the wait that it splits', () => {
  const planned = { type: 'planned' as const, attempt: 2, from: 5_000, to: 7_000, at: 6_000 };
  const segments = withPlan(segmentsOf(runsOf(failures(1))), [planned]);
  expect(segments.map((segment) => segment.type)).toEqual(['run', 'wait', 'planned']);
  const boxes = layOut(segments, 700, 'linear');
  expect(placeOf(3_000, segments, boxes)).toBeCloseTo(300, 9);
  expect(placeOf(9_000, segments, boxes)).toBeNull();
});
