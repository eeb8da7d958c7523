// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { facesOf, faceWords, findTasks, foldLine, nodesByTask, stateLine, unfolded } from './faces';
import type { DagTask } from './read';

const NOW = 1_000_000;

function task(id: string, changes: Partial<DagTask> = {}): DagTask {
  return {
    id, kind: 'audit', name: id, status: 'Waiting', attempt: 0, createdAt: 0, runAt: 0, startedAt: null, endedAt: null, nextRetryAt: null, ...changes,
  };
}

const RETRY = task('a', {
  status: 'RetryPending', attempt: 2, nextRetryAt: NOW + 41_000,
  retry_canonical: { max_retries: 4, backoff: { type: 'exponential' } },
});

describe('a task', () => {
  it('says when it is tried again', () => {
    expect(stateLine(RETRY, NOW)).toBe('attempt 3 of 5 · in 41 s');
    expect(stateLine(RETRY, NOW + 42_000)).toBe('attempt 3 of 5 · due');
  });

  it('says how long it ran', () => {
    expect(stateLine(task('a', { status: 'Success', startedAt: NOW, endedAt: NOW + 400 }), NOW)).toBe('Success · 0.4 s');
    expect(stateLine(task('a', { status: 'Running', startedAt: NOW - 12_000 }), NOW)).toBe('Running · 12 s');
    expect(stateLine(task('a'), NOW)).toBe('Waiting');
  });

  it('has a name for screen readers', () => {
    const [face] = facesOf(unfolded([RETRY], []), [RETRY]);
    expect(face && faceWords(face, NOW)).toBe('a, retry pending, attempt 3 of 5, next in 41 s');
  });
});

describe('a fold', () => {
  const tasks = [task('a', { status: 'Success' }), task('b', { status: 'Failure' }), task('c', { status: 'Running' }), task('d')];
  const folded = { nodes: [{ key: 'a', kind: 'audit', depth: 0, members: [0, 1, 2, 3] }], links: [] };
  const [face] = facesOf(folded, tasks);

  it('has the state that needs most attention', () => {
    expect(face).toMatchObject({ state: 'Failure', size: 4, title: 'audit', task: null });
  });

  it('says what is going on in it', () => {
    expect(face && foldLine(face)).toBe('2 of 4 · 1 failed · 1 running');
    expect(face && faceWords(face, NOW)).toBe('audit, 4 tasks: 1 succeeded, 1 failed, 1 running, 1 waiting');
  });

  it('is found by each of its members', () => {
    expect([...nodesByTask(folded)]).toEqual([[0, 0], [1, 0], [2, 0], [3, 0]]);
  });
});

it('finds tasks by name, kind or id', () => {
  const tasks = [task('Row-1', { id: '0198' }), task('row-2', { id: '0199', kind: 'mail' })];
  expect(findTasks(tasks, ' ROW')).toEqual([0, 1]);
  expect(findTasks(tasks, 'mail')).toEqual([1]);
  expect(findTasks(tasks, '0198')).toEqual([0]);
  expect(findTasks(tasks, ' ')).toEqual([]);
});
