// SPDX-License-Identifier: Apache-2.0
import { expect, it } from 'vitest';
import { ANYTHING, concerns, hintOf } from './hints';
import type { Hint } from './hints';

const CHARGE: Hint = { topic: 'tasks', kinds: ['charge'], batches: ['b1'], tasks: ['t1'] };

it('reads events', () => {
  expect(hintOf('tasks', '{"kinds": ["charge"], "batches": [], "deliveries": true}'))
    .toEqual({ topic: 'tasks', kinds: ['charge'], batches: [], deliveries: true });
  expect(hintOf('nodes', '{}')).toEqual({ topic: 'nodes', deliveries: false });
  expect(hintOf('tasks', 'nonsense')).toBeNull();
});

it.each<[readonly unknown[], boolean]>([
  [['tasks', {}, {}], true],
  [['tasks', { kind: '=charge' }, {}], true],
  [['tasks', { kind: '=mail' }, {}], false],
  [['tasks', { kind: 'mai' }, {}], true],
  [['tasks', { kind: '=mail,=charge' }, {}], true],
  [['tasks', { batch_id: 'b2' }, {}], false],
  [['tasks', 'one', 't1'], true],
  [['tasks', 'one', 't2'], false],
  [['tasks', 'batches', {}, {}], true],
  [['tasks', 'batches', 'one', 'b1'], true],
  [['tasks', 'batches', 'one', 'b2'], false],
  [['tasks', 'wave', 'hour', null], true],
  [['tasks', 'retries', { kind: 'charge' }, {}], true],
  [['tasks', 'overview'], true],
  [['tasks', 'schedules', null], true],
  [['tasks', 'deliveries', 't1'], false],
  [['nodes'], false],
  [['find', 'x'], false],
])('asks %j again after a change of one task: %s', (key, wanted) => {
  expect(concerns(CHARGE, key)).toBe(wanted);
});

it('asks for a task again when another task of its batch changed', () => {
  expect(concerns(CHARGE, ['tasks', 'one', 't2'], 'b1')).toBe(true);
  expect(concerns(CHARGE, ['tasks', 'one', 't2'], 'b2')).toBe(false);
});

it('asks only for deliveries and counts when a delivery changed', () => {
  const hint: Hint = { topic: 'tasks', kinds: [], batches: [], tasks: [], deliveries: true };
  expect([['tasks', {}, {}], ['tasks', 'one', 't1'], ['tasks', 'schedules', null], ['tasks', 'batches', {}, {}]].some((key) => concerns(hint, key)))
    .toBe(false);
  expect([['tasks', 'deliveries', null], ['tasks', 'deliveries', 'groups', '24h'], ['tasks', 'overview'], ['tasks', 'audit', '']].every((key) => concerns(hint, key))).toBe(true);
});

it.each<[Hint['topic'], readonly unknown[], boolean]>([
  ['nodes', ['nodes'], true], ['nodes', ['tasks', 'overview'], true], ['nodes', ['tasks', {}, {}], false],
  ['schedules', ['tasks', 'schedule', 'nightly'], true], ['schedules', ['tasks', 'wave', 'hour', null], false],
  ['batches', ['tasks', 'batches', 'one', 'b9'], true], ['batches', ['tasks', 'overview'], false],
])('%s: %j %s', (topic, key, wanted) => {
  expect(concerns({ topic }, key)).toBe(wanted);
});

it('asks for everything that is live when it is not known what changed', () => {
  const keys = [['tasks', { kind: '=mail' }, {}], ['tasks', 'one', 't9'], ['tasks', 'deliveries', null], ['tasks', 'schedules', null], ['nodes'], ['tasks', 'batches', 'one', 'b']];
  expect(keys.every((key) => ANYTHING.some((hint) => concerns(hint, key)))).toBe(true);
});
