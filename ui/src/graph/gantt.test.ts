// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { unfolded } from './faces';
import { axisOf, barsOf, density, ganttRows, placeAt, readyTimes, ticksOf, withAttempts } from './gantt';
import type { GanttRow } from './gantt';
import type { DagTask } from './read';

const NOW = 100_000;

function task(id: string, changes: Partial<DagTask> = {}): DagTask {
  return {
    id, kind: 'k', name: id, status: 'Waiting', attempt: 0, createdAt: 0, runAt: 0, startedAt: null, endedAt: null, nextRetryAt: null, ...changes,
  };
}

describe('the bars of a task', () => {
  it('are its run, after the wait for a slot', () => {
    expect(barsOf(task('a', { status: 'Success', startedAt: 5_000, endedAt: 9_000 }), 2_000, NOW)).toEqual([
      { type: 'wait', from: 2_000, to: 5_000, state: 'Pending' }, { type: 'run', from: 5_000, to: 9_000, state: 'Success' },
    ]);
  });

  it('reach until now while it runs', () => {
    expect(barsOf(task('a', { status: 'Running', startedAt: 0 }), 0, NOW)).toEqual([{ type: 'run', from: 0, to: NOW, state: 'Running' }]);
  });

  it('show the wait for a retry beyond now', () => {
    const bars = barsOf(task('a', { status: 'RetryPending', attempt: 1, startedAt: 0, endedAt: null, nextRetryAt: NOW + 5_000 }), 0, NOW);
    expect(bars.at(-1)).toEqual({ type: 'retry', from: 0, to: NOW + 5_000, state: 'RetryPending' });
  });

  it('show a retry that is due until now', () => {
    const bars = barsOf(task('a', { status: 'RetryPending', attempt: 1, startedAt: 0, nextRetryAt: 5_000 }), 0, NOW);
    expect(bars.at(-1)?.to).toBe(NOW);
  });

  it('are none before anything happens', () => {
    expect(barsOf(task('a'), 0, NOW)).toEqual([]);
  });
});

describe('the bars of a task with known attempts', () => {
  const failed = { from: 1_000, to: 2_000, failed: true };

  it('show each attempt and the waits between', () => {
    const running = task('a', { status: 'Running', attempt: 1, startedAt: 9_000 });
    expect(withAttempts(running, [failed], NOW)).toEqual([
      { type: 'run', from: 1_000, to: 2_000, state: 'Failure' },
      { type: 'wait', from: 2_000, to: 9_000, state: 'RetryPending' },
      { type: 'run', from: 9_000, to: NOW, state: 'Running' },
    ]);
  });

  it('do not show the last attempt twice', () => {
    const ended = task('a', { status: 'Success', attempt: 1, startedAt: 9_000, endedAt: 9_500 });
    expect(withAttempts(ended, [failed, { from: 9_000, to: 9_500, failed: false }], NOW).filter(({ type }) => type === 'run')).toHaveLength(2);
  });
});

it('a task that waits for others has its earliest run', () => {
  const tasks = [task('a', { status: 'Running', startedAt: NOW }), task('b')];
  const rows = ganttRows(unfolded(tasks, [{ parent: 0, child: 1, requiresSuccess: true }]), tasks, [{ parent: 0, child: 1, requiresSuccess: true }], NOW);
  expect(rows.at(-1)?.bars).toEqual([{ type: 'earliest', from: NOW, to: NOW, state: 'Waiting' }]);
});

it('the wait for a retry begins after the last known attempt', () => {
  const waiting = task('a', { status: 'RetryPending', attempt: 1, startedAt: 1_000, nextRetryAt: NOW + 1_000 });
  expect(withAttempts(waiting, [{ from: 1_000, to: 2_000, failed: true }], NOW).at(-1)).toMatchObject({ type: 'retry', from: 2_000 });
});

describe('the rows', () => {
  const tasks = [task('late', { status: 'Success', startedAt: 500, endedAt: 900 }), task('never'), task('early', { status: 'Success', startedAt: 0, endedAt: 400 })];

  it('are sorted by start', () => {
    expect(ganttRows(unfolded(tasks, []), tasks, [], NOW).map(({ title }) => title)).toEqual(['early', 'late', 'never']);
  });

  it('hold the runs of a fold', () => {
    const folded = { nodes: [{ key: 'late', kind: 'k', depth: 0, members: [0, 1, 2] }], links: [] };
    const [row] = ganttRows(folded, tasks, [], NOW);
    expect(row).toMatchObject({ title: 'k', size: 3, bars: [], start: 0 });
    expect(row?.runs).toHaveLength(2);
  });
});

function runs(...spans: [number, number][]): GanttRow[] {
  return spans.map(([from, to], node) => ({ node, title: '', size: 1, runs: [], start: from, bars: [{ type: 'run', from, to, state: 'Success' }] }));
}

describe('the axis', () => {
  it('is to scale without pauses', () => {
    const axis = axisOf(runs([0, 10_000], [5_000, 40_000]), NOW, false);
    expect(axis).toEqual([{ from: 0, to: 40_000, x: 0, width: 1, gap: false }]);
    expect(placeAt(10_000, axis)).toBe(0.25);
  });

  it('compresses a long pause', () => {
    const axis = axisOf(runs([0, 10_000], [3_600_000, 3_610_000]), NOW, false);
    expect(axis.map(({ from, to, gap }) => [from, to, gap])).toEqual([[0, 10_000, false], [10_000, 3_600_000, true], [3_600_000, 3_610_000, false]]);
    expect(placeAt(3_600_000, axis) - placeAt(10_000, axis)).toBeCloseTo(0.07);
    expect(placeAt(10_000, axis)).toBeCloseTo(0.465);
  });

  it('leaves a short pause', () => {
    expect(axisOf(runs([0, 10_000], [11_000, 20_000]), NOW, false)).toHaveLength(1);
  });

  it('compresses eight pauses at most, the longest', () => {
    const spans = Array.from({ length: 30 }, (_, i): [number, number] => [i * 1e6, i * 1e6 + 1_000]);
    const axis = axisOf(runs(...spans), NOW, false);
    expect(axis.filter(({ gap }) => gap)).toHaveLength(8);
    expect(axis.reduce((sum, { width }) => sum + width, 0)).toBeCloseTo(1);
  });

  it('reaches to a planned retry', () => {
    const rows: GanttRow[] = [...runs([0, 10_000]), { node: 1, title: '', size: 1, runs: [], start: 0, bars: [{ type: 'retry', from: 10_000, to: 130_000, state: 'RetryPending' }] }];
    expect(axisOf(rows, NOW, false).at(-1)?.to).toBe(130_000);
  });

  it('reaches until now while the batch is live', () => {
    expect(axisOf(runs([0, 10_000]), NOW, true).map(({ to, gap }) => [to, gap])).toEqual([[10_000, false], [NOW, true], [NOW, false]]);
  });

  it('exists when nothing has happened', () => {
    expect(axisOf([], NOW, false)).toHaveLength(1);
    expect(placeAt(NOW, axisOf([], NOW, false))).toBe(0);
  });

  it('has round ticks, none of them in a gap', () => {
    const axis = axisOf(runs([0, 10_000], [3_600_000, 3_610_000]), NOW, false);
    const ticks = ticksOf(axis, 1_000);
    expect(ticks.length).toBeGreaterThan(2);
    expect(ticks.every((at) => at % 1_000 === 0 && (at <= 10_000 || at >= 3_600_000))).toBe(true);
  });
});

it('counts how many run at a time', () => {
  const axis = axisOf(runs([0, 1_000]), NOW, false);
  const bar = (from: number, to: number) => ({ type: 'run' as const, from, to, state: 'Success' as const });
  expect(density([bar(0, 499), bar(250, 999), bar(600, 1_000)], axis, 4)).toEqual([1, 2, 2, 2]);
});

it('knows when a task could start', () => {
  const tasks = [task('a', { endedAt: 5_000 }), task('b', { runAt: 2_000 }), task('c', { runAt: 90_000, attempt: 1 })];
  expect(readyTimes(tasks, [{ parent: 0, child: 1, requiresSuccess: true }])).toEqual([0, 5_000, 0]);
});
