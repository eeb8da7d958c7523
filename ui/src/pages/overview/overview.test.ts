// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import type { KindRow, Overview, OverviewProblem } from '../../api/overview';
import type { Node as NodeRow } from '../../api/settings';
import { marksOf } from '../../shell/counts';
import { kindsOf } from './kinds';
import { nodesInOrder } from './nodes';
import { readOverviewSearch } from './search';
import { allIsWell, isStoreAway, percent, sentencesOf } from './sentences';
import { tilesOf } from './tiles';

const AT = '2026-11-16T02:10:00Z';

function problem(changes: Partial<OverviewProblem>): OverviewProblem {
  return {
    id: 'kind_failing', level: 'trouble', since: AT, over_at: null, kind: null, name: null, count: 1, of: null, error: null,
    text: 'Something is wrong.', filter: {}, ...changes,
  };
}

function overview(changes: Partial<Overview> = {}): Overview {
  return {
    now: AT, version: '0.2.0', problems: [], live: { Running: 87, RetryPending: 1_612, Pending: 41 }, due: 41, oldest_due_at: AT, parked: 0,
    capped: false, counted_at: AT, next_retry_at: AT, dead: { tasks: 14, tasks_1h: 3, deliveries: 2, deliveries_1h: 0 },
    hour: { submitted: 3_120, succeeded: 2_880, failed: 260, retried: 231, gave_up: 3, lost: 0 }, kinds: [], slots: { busy: 80, of: 128 },
    ...changes,
  };
}

const HOUR = overview().hour;

describe('sentences', () => {
  it('say that all is well, with numbers', () => {
    expect(allIsWell(overview())).toBe('All is well. 2,883 tasks in the last hour, 99.8 % succeeded.');
    expect(allIsWell({ hour: { ...HOUR, succeeded: 1, gave_up: 0 } })).toBe('All is well. 1 task in the last hour, 100 % succeeded.');
    expect(allIsWell({ hour: { ...HOUR, succeeded: 0, gave_up: 0 } })).toBe('All is well. No task ended in the last hour.');
  });

  it('never round up to 100 %', () => {
    expect(percent(99_999, 100_000)).toBe('99.9 %');
    expect(percent(0, 10)).toBe('0 %');
  });

  it('come as the server orders them, and those that are over last', () => {
    const sentences = sentencesOf(overview({
      problems: [problem({ text: 'Over.', over_at: AT }), problem({ text: 'Worst.' }), problem({ text: 'Bad.', level: 'warning', id: 'parked' })],
    }));
    expect(sentences.map(({ text, level }) => `${level} ${text}`)).toEqual(['trouble Worst.', 'warning Bad.', 'well Over.']);
  });

  it('begin with all is well if everything is over', () => {
    const [first, second] = sentencesOf(overview({ problems: [problem({ text: 'Over.', over_at: AT })] }));
    expect(first?.text).toMatch(/^All is well\. /);
    expect(second).toMatchObject({ text: 'Over.', overAt: AT, since: null });
  });

  it('do not say that all is well before anything was counted', () => {
    const [first] = sentencesOf(overview({ counted_at: null, problems: [problem({ text: 'Over.', over_at: AT })] }));
    expect(first).toMatchObject({ level: 'warning', text: 'Still counting. The database is slow to answer.' });
    expect(sentencesOf(overview({ counted_at: null, problems: [problem({})] }))).toHaveLength(1);
  });

  it('lead to what they speak of', () => {
    const target = (changes: Partial<OverviewProblem>) => sentencesOf(overview({ problems: [problem(changes)] }))[0]?.target;
    expect(target({ kind: 'charge', filter: { kind: 'charge', status: 'Failure,RetryPending' } }))
      .toMatchObject({ to: '/tasks', search: { kind: '=charge', status: 'Failure,RetryPending' } });
    expect(target({ id: 'parked', filter: { status: 'Paused' } })).toMatchObject({ to: '/tasks', search: { status: 'Paused' } });
    expect(target({ id: 'wave', filter: { status: 'RetryPending' } })).toMatchObject({ to: '/retries' });
    expect(target({ id: 'node_late', name: 'api-3' })).toMatchObject({ to: '/settings' });
    expect(target({ id: 'wave', filter: { status: 'RetryPending', due_after: AT, due_before: '2026-11-16T02:11:00Z' } }))
      .toMatchObject({ search: { window: 'hour', from: '2026-11-16T02:10:00.000Z', to: '2026-11-16T02:11:00.000Z' } });
    expect(target({ id: 'parked', filter: { parked: 'true' } })).toMatchObject({ to: '/tasks', search: { parked: 'true' } });
    expect(target({ id: 'schedule_missed', name: 'nightly' })).toMatchObject({ to: '/schedules/$id', params: { id: 'nightly' } });
    expect(target({ id: 'dead_new', filter: { status: 'Failure', ended_after: AT } })).toMatchObject({ to: '/dead', search: { since: '1h' } });
    expect(target({ id: 'backlog_grows' })).toMatchObject({ to: '/tasks' });
    expect(target({ id: 'store_away' })).toBeNull();
  });

  it('lead to the deliveries when only those were given up', () => {
    const [first] = sentencesOf(overview({ problems: [problem({ id: 'dead_new' })], dead: { tasks: 9, tasks_1h: 0, deliveries: 2, deliveries_1h: 2 } }));
    expect(first?.target).toMatchObject({ to: '/dead', search: { tab: 'deliveries' } });
  });

  it('name the error of a failing kind, and let it be paused until it is over', () => {
    const failing = { kind: 'charge', error: '9f2c41d07be3a815', error_title: 'HTTP 503 from pay.example' };
    const [first] = sentencesOf(overview({ problems: [problem(failing)] }));
    expect(first).toMatchObject({ pausable: 'charge', error: { title: 'HTTP 503 from pay.example', search: { kind: '=charge', error: '9f2c41d07be3a815' } } });
    const over = sentencesOf(overview({ problems: [problem({ ...failing, over_at: AT })] }))[1];
    expect(over).not.toHaveProperty('pausable');
    expect(sentencesOf(overview({ problems: [problem({ kind: 'charge' })] }))[0]).not.toHaveProperty('error');
  });

  it('know when the database is away', () => {
    expect(isStoreAway(overview({ problems: [problem({ id: 'store_away' })] }))).toBe(true);
    expect(isStoreAway(overview({ problems: [problem({ id: 'store_away', over_at: AT })] }))).toBe(false);
  });
});

describe('tiles', () => {
  const lines = (changes: Partial<Overview> = {}) => tilesOf(overview(changes)).map(({ name, value, note }) => `${name} ${value} ${note}`);

  it('have five numbers', () => {
    expect(lines()).toEqual([
      'Running 87 80 of 128 slots', 'Due 41 oldest', 'Retries 1,612 next', 'Dead 16 +3 in 1 h', 'Success 91.7 % of 3,140 attempts, 1 h',
    ]);
  });

  it('say what is not known and what was not counted to its end', () => {
    const empty = { hour: { ...HOUR, succeeded: 0, failed: 0 }, due: 0, oldest_due_at: null, next_retry_at: null, live: {} };
    expect(lines({ ...empty, counted_at: null, slots: { busy: 0, of: 0 }, dead: { tasks: 10_000, tasks_1h: 0, deliveries: 0, deliveries_1h: 0 } }))
      .toEqual(['Running – no slots', 'Due – none waiting', 'Retries – none waiting', 'Dead 10,000+ none in 1 h', 'Success – no attempt in 1 h']);
    expect(lines({ capped: true })[0]).toBe('Running 87+ 80 of 128 slots');
  });
});

describe('kinds', () => {
  const kind = (name: string, changes: Partial<KindRow> = {}): KindRow =>
    ({ kind: name, attempts: 0, failed: 0, waiting: 0, due: 0, takers: 1, spark: [], ...changes });

  it('are sorted by trouble, then by volume', () => {
    const kinds = kindsOf({
      kinds: [kind('idle'), kind('busy', { attempts: 900 }), kind('resize', { due: 41 }), kind('charge', { attempts: 260, failed: 214 }), kind('queued', { waiting: 5 })],
      problems: [problem({ id: 'nobody_takes', level: 'warning', kind: 'resize' }), problem({ kind: 'charge' }), problem({ kind: 'idle', over_at: AT })],
    });
    expect(kinds.map((one) => `${one.kind} ${one.level} ${one.word} ${one.failedShare}`)).toEqual([
      'charge trouble failing 82.3 %', 'resize warning nobody takes it –', 'busy null  0 %', 'queued null  –', 'idle null  –',
    ]);
  });
});

it('lists late nodes first and dead ones last', () => {
  const node = (name: string, state: NodeRow['state'], seen_at = AT): NodeRow =>
    ({ id: name, name, version: null, joined_at: AT, seen_at, state, slots: { busy: 0, of: 8 }, kinds: [], held: 0 });
  const order = nodesInOrder([node('d1', 'dead'), node('b', 'alive'), node('d2', 'dead', '2026-11-16T03:00:00Z'), node('c', 'late'), node('a', 'alive')]);
  expect(order.map(({ name }) => name)).toEqual(['c', 'a', 'b', 'd2', 'd1']);
});

it('keeps what it understands of the address', () => {
  expect(readOverviewSearch({ window: '24h', kind: 'charge', comes: 'day', other: 1 })).toEqual({ window: '24h', kind: 'charge', comes: 'day' });
  expect(readOverviewSearch({ window: '90d', kind: '', comes: 'year' })).toEqual({});
});

it('marks places of the side bar', () => {
  expect(marksOf(undefined)).toEqual({});
  expect(marksOf({ live: {} })).toEqual({});
  expect(marksOf(overview({ live: { RetryPending: 1_612 }, problems: [problem({ id: 'node_late', level: 'warning' })] }))).toEqual({
    '/retries': { text: '1,612', word: 'waiting' }, '/dead': { text: '16', word: 'open' }, '/settings': { text: '', word: 'a node is late' },
  });
  expect(marksOf(overview({ problems: [problem({ id: 'node_late', over_at: AT })] }))).not.toHaveProperty('/settings');
});
