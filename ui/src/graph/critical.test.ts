// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { criticalPath, highlight } from './critical';
import type { DagTask } from './read';

const NOW = 100_000;

function task(id: string, changes: Partial<DagTask> = {}): DagTask {
  return {
    id, kind: id, name: id, status: 'Success', attempt: 0, createdAt: 0, runAt: 0, startedAt: null, endedAt: null, nextRetryAt: null, ...changes,
  };
}

const link = (parent: number, child: number) => ({ parent, child, requiresSuccess: true });
const DIAMOND = [link(0, 1), link(0, 2), link(1, 3), link(2, 3)];

describe('the critical path', () => {
  it('goes through what took longest', () => {
    const tasks = [task('a', { endedAt: 1_000 }), task('b', { endedAt: 5_000 }), task('c', { endedAt: 9_000 }), task('d', { endedAt: 10_000 })];
    expect(criticalPath(tasks, DIAMOND, NOW)).toEqual([0, 2, 3]);
  });

  it('counts a running task until now', () => {
    const tasks = [task('a', { endedAt: 1_000 }), task('b', { status: 'Running', startedAt: 1_000 }), task('c', { endedAt: 9_000 }), task('d', { status: 'Waiting' })];
    expect(criticalPath(tasks, DIAMOND, NOW)).toEqual([0, 1, 3]);
  });

  it('counts the wait for a retry', () => {
    const tasks = [
      task('a', { endedAt: 1_000 }), task('b', { status: 'Running', startedAt: 1_000 }),
      task('c', { status: 'RetryPending', nextRetryAt: NOW + 60_000 }), task('d', { status: 'Waiting' }),
    ];
    expect(criticalPath(tasks, DIAMOND, NOW)).toEqual([0, 2, 3]);
  });

  it('expects of a waiting task what others of its kind took', () => {
    const tasks = [
      task('a', { endedAt: 1_000 }), task('b', { status: 'Waiting', kind: 'slow' }), task('c', { status: 'Waiting', kind: 'quick' }),
      task('d', { status: 'Waiting' }), task('e', { kind: 'slow', endedAt: 50_000 }), task('f', { kind: 'quick', endedAt: 10 }),
    ];
    expect(criticalPath(tasks, DIAMOND, NOW)).toEqual([0, 1, 3]);
  });

  it('exists before anything has run', () => {
    const tasks = ['a', 'b', 'c', 'd'].map((id) => task(id, { status: 'Waiting' }));
    expect(criticalPath(tasks, DIAMOND, NOW)).toHaveLength(3);
    expect(criticalPath([], [], NOW)).toEqual([]);
  });
});

it('marks the folds that hold tasks of the path', () => {
  const node = (key: string, members: number[]) => ({ key, kind: key, depth: 0, members });
  const folded = {
    nodes: [node('a', [0]), node('b', [1, 2]), node('c', [3]), node('d', [4])],
    links: [{ ...link(0, 1), count: 2 }, { ...link(1, 2), count: 2 }, { ...link(0, 3), count: 1 }],
  };
  const nodeOf = new Map([[0, 0], [1, 1], [2, 1], [3, 2], [4, 3]]);
  expect(highlight([0, 2, 3], folded, nodeOf)).toEqual({ nodes: new Set([0, 1, 2]), links: new Set([0, 1]) });
});
