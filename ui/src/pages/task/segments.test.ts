// SPDX-License-Identifier: Apache-2.0
import { expect, it } from 'vitest';
import { segmentsFor } from './segments';

const failed = (number: number, started: string, ended: string) => ({
  number, epoch: number + 1, started_at: started, ended_at: ended, outcome: 'failure' as const,
  failure_kind: 'http', status: 503, code: null, worker: null, message: null, exception_types: [],
  has_stack: false, delay_ms: null, next_at: null,
});

it('shows the wait until the next retry', () => {
  const task = {
    status: 'RetryPending' as const, attempt: 1, attempts_total: 1, created_at: '2026-11-16T01:00:00Z', started_at: null, next_retry_at: '2026-11-16T02:00:12Z',
    attempts: [failed(0, '2026-11-16T02:00:00Z', '2026-11-16T02:00:01Z')],
  };
  expect(segmentsFor(task, Date.parse('2026-11-16T02:00:05Z'), false)).toMatchObject([
    { type: 'run', attempt: 1, outcome: 'failure', label: '503' },
    { type: 'wait', from: Date.parse('2026-11-16T02:00:01Z'), to: Date.parse('2026-11-16T02:00:12Z') },
    { type: 'planned', attempt: 2 },
  ]);
});

it('shows the attempt that is running', () => {
  const now = Date.parse('2026-11-16T02:00:20Z');
  const task = {
    status: 'Running' as const, attempt: 1, attempts_total: 1, created_at: '2026-11-16T01:00:00Z', started_at: '2026-11-16T02:00:12Z', next_retry_at: null,
    attempts: [failed(0, '2026-11-16T02:00:00Z', '2026-11-16T02:00:01Z')],
  };
  expect(segmentsFor(task, now, false).at(-1)).toMatchObject({ attempt: 2, outcome: 'running', to: now });
});

it('shows the attempts of the plan between their earliest and latest time', () => {
  const task = {
    status: 'RetryPending' as const, attempt: 1, attempts_total: 1, created_at: '2026-11-16T01:00:00Z', started_at: null, next_retry_at: '2026-11-16T02:00:12Z',
    attempts: [failed(0, '2026-11-16T02:00:00Z', '2026-11-16T02:00:01Z')],
  };
  const coming = [
    { attempt: 1, at: '2026-11-16T02:00:12Z', at_min: '2026-11-16T02:00:12Z', at_max: '2026-11-16T02:00:12Z', drawn: true, step: null },
    { attempt: 2, at: '2026-11-16T02:00:40Z', at_min: '2026-11-16T02:00:30Z', at_max: '2026-11-16T02:00:50Z', drawn: false, step: null },
    { attempt: 3, at: null, at_min: '2026-11-16T02:01:30Z', at_max: null, drawn: false, step: null },
  ];
  const planned = segmentsFor(task, Date.parse('2026-11-16T02:00:05Z'), false, coming).filter(({ type }) => type === 'planned');
  expect(planned).toEqual([
    { type: 'planned', attempt: 2, from: Date.parse('2026-11-16T02:00:12Z'), to: Date.parse('2026-11-16T02:00:12Z'), at: Date.parse('2026-11-16T02:00:12Z') },
    { type: 'planned', attempt: 3, from: Date.parse('2026-11-16T02:00:30Z'), to: Date.parse('2026-11-16T02:00:50Z'), at: Date.parse('2026-11-16T02:00:40Z') },
  ]);
});

it('shows attempts that are not loaded as one block before the others', () => {
  const task = {
    status: 'Failure' as const, attempt: 150, attempts_total: 151, created_at: '2026-11-16T01:00:00Z', started_at: null, next_retry_at: null,
    attempts: [failed(150, '2026-11-16T02:00:00Z', '2026-11-16T02:00:01Z')],
  };
  const now = Date.parse('2026-11-16T02:00:05Z');
  expect(segmentsFor(task, now, false, [], true)).toMatchObject([
    { type: 'fold', attempts: 150, earlier: true, from: Date.parse('2026-11-16T01:00:00Z'), to: Date.parse('2026-11-16T02:00:00Z') },
    { type: 'run', attempt: 151 },
  ]);
  const older = [failed(149, '2026-11-16T01:59:00Z', '2026-11-16T01:59:01Z')];
  expect(segmentsFor(task, now, false, [], true, older)[0]).toMatchObject({ attempts: 149, to: Date.parse('2026-11-16T01:59:00Z') });
  expect(segmentsFor(task, now, false, [], false, older).map(({ type }) => type)).toEqual(['run', 'wait', 'run']);
});
