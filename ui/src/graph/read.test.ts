// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { readDag, shapeOf, updateDag } from './read';

const task = (id: string, changes: object = {}) => ({ id, kind: 'k', name: null, local_id: id, status: 'Waiting', attempt: 0, run: 1, ...changes });

const byId = {
  tasks: [task('a', { status: 'Success', started_at: '2026-11-16T02:00:00Z', ended_at: '2026-11-16T02:00:01Z' }), task('b'), task('c')],
  links: [
    { parent_id: 'a', child_id: 'b', requires_success: true },
    { parent_id: 'a', child_id: 'c', requires_success: false },
    { parent_id: 'elsewhere', child_id: 'c', requires_success: true },
  ],
  truncated: false,
};

const byIndex = { shape: 's1', run: 1, tasks: byId.tasks, links: [[0, 1, 1], [0, 2, 0]] };

describe('both forms of the answer', () => {
  it('give the same tasks and links', () => {
    const one = readDag(byId);
    const other = readDag(byIndex);
    expect(other.tasks).toEqual(one.tasks);
    expect(other.links).toEqual(one.links);
    expect(one.links).toEqual([{ parent: 0, child: 1, requiresSuccess: true }, { parent: 0, child: 2, requiresSuccess: false }]);
    expect([one.run, other.run]).toEqual([1, 1]);
  });

  it('say what they know', () => {
    expect(readDag(byId)).toMatchObject({ knowsShape: false, outside: 1, truncated: false });
    expect(readDag(byIndex)).toMatchObject({ knowsShape: true, outside: 0, shape: 's1' });
  });
});

it('reads instants, names and states', () => {
  const [first, second] = readDag(byId).tasks;
  expect(first).toMatchObject({ name: 'a', status: 'Success', endedAt: Date.parse('2026-11-16T02:00:01Z'), nextRetryAt: null });
  expect(second).toMatchObject({ startedAt: null });
});

it('leaves out links to nowhere', () => {
  expect(readDag({ shape: 's', tasks: [task('a')], links: [[0, 1, 1], [-1, 0, 1], ['x', 0]] }))
    .toMatchObject({ links: [], outside: 3 });
});

it('survives an answer that is something else', () => {
  expect(readDag('<html>')).toMatchObject({ tasks: [], links: [], run: 0 });
});

it('says the step of a ladder', () => {
  const place = { step: 1, steps: 3, attempt: 3, of: 5 };
  expect(readDag({ tasks: [task('a', { place })], links: [] }).tasks[0]?.badge).toBe('attempt 3/5, step 1/3');
  expect(readDag({ tasks: [task('a', { place: { attempt: 7, of: null, step: 1, steps: 1 } })], links: [] }).tasks[0]?.badge).toBe('attempt 7/∞');
});

describe('what has changed', () => {
  const known = readDag(byIndex);

  it('replaces tasks and keeps the links', () => {
    const next = updateDag(known, { shape: 's1', run: 1, tasks: [task('b', { status: 'Running' })], links: [] });
    expect(next?.tasks.map(({ status }) => status)).toEqual(['Success', 'Running', 'Waiting']);
    expect(next?.links).toBe(known.links);
  });

  it('changes nothing if nothing has', () => {
    expect(updateDag(known, { shape: 's1', tasks: [], links: [] })).toBe(known);
  });

  it('is of no use for another shape or run', () => {
    expect(updateDag(known, { shape: 's2', run: 1, tasks: [] })).toBeNull();
    expect(updateDag(known, { shape: 's1', run: 2, tasks: [] })).toBeNull();
  });
});

it('tells shapes apart, whatever the states', () => {
  const { tasks, links } = readDag(byId);
  const changed = tasks.map((one) => ({ ...one, status: 'Failure' as const }));
  expect(shapeOf(changed, links)).toBe(shapeOf(tasks, links));
  expect(shapeOf(tasks, links.slice(1))).not.toBe(shapeOf(tasks, links));
  expect(shapeOf(tasks.map((one) => ({ ...one, kind: 'other' })), links)).not.toBe(shapeOf(tasks, links));
});
