// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import type { BulkResult } from '../api/actions';
import type { TaskRow } from '../api/client';
import { ApiError } from '../api/problem';
import {
  bulkFilterOf, bulkTitle, NOTHING_YET, previewLines, previewOfFilter, previewOfTasks, rateWords, resultWords, runSteps, stepsOfTasks, windowOf,
} from './bulk';
import type { Preview, Progress } from './bulk';

const EMPTY: Preview = { matched: 0, changed: 0, skipped: 0, byStatus: {}, example: null, wave: null, more: false };

function row(id: string, status: TaskRow['status'], ...allowed: TaskRow['allowed']): TaskRow {
  return { id, status, allowed } as TaskRow;
}

function result(changed: number, next: string | null, more: Partial<BulkResult> = {}): BulkResult {
  return { action: 'retry', dry_run: true, matched: changed, changed, skipped: 0, reached: null, next, ...more };
}

describe('words', () => {
  it('tell each group of tasks that are retried', () => {
    const preview = { ...EMPTY, matched: 1_404, changed: 1_404, byStatus: { RetryPending: 1_190, Failure: 214 } };
    expect(bulkTitle('retry', preview.changed)).toBe('Retry 1,404 tasks');
    expect(previewLines('retry', preview)).toEqual([
      '1,190 wait for a retry and become due.',
      '214 have failed and run again, with their retries counted from zero.',
      '0 are left alone.',
    ]);
  });

  it('do not claim a group when only some of it can be retried', () => {
    const preview = { ...EMPTY, matched: 12, changed: 9, skipped: 3, byStatus: { Failure: 10, Success: 2 } };
    expect(previewLines('retry', preview)).toEqual([
      '9 become due, or run again. Among those that match: 10 Failure, 2 Success.', '3 are left alone.',
    ]);
  });

  it('count one task as one', () => {
    expect(bulkTitle('cancel', 1)).toBe('Cancel 1 task');
    expect(previewLines('resume', { ...EMPTY, changed: 1, skipped: 1 })).toEqual(['1 is resumed.', '1 is left alone.']);
    expect(resultWords('cancel', { changed: 1, skipped: 0, next: null })).toBe('1 task canceled, 0 left alone.');
  });

  it('say when there are more than were counted', () => {
    expect(bulkTitle('pause', 50_000, true)).toBe('Pause 50,000+ tasks');
    expect(previewLines('pause', { ...EMPTY, changed: 50_000, more: true }).at(-1))
      .toBe('There are more than the 50,000 that were counted. All that match are included.');
  });

  it('give the rate of a spread', () => {
    expect(rateWords(1_404, '10m')).toBe('about 140 a minute');
    expect(rateWords(120, '6h')).toBe('about 20 an hour');
  });
});

describe('the filter', () => {
  it('is that of the list', () => {
    expect(bulkFilterOf({ status: 'Failure', kind: '=charge', q: '503' }))
      .toEqual({ filter: { status: 'Failure', kind: '=charge', q: '503' } });
    expect(bulkFilterOf({ kind: 'charge,refund' })).toEqual({ filter: { kind: 'charge,refund' } });
  });

  it('is refused when the action would reach other tasks than the list shows', () => {
    expect(bulkFilterOf({ kind: 'charge' })).toHaveProperty('reason');
    expect(bulkFilterOf({})).toHaveProperty('reason');
    expect(bulkFilterOf({ status: 'Failure' }, '-ended_at')).toHaveProperty('reason');
    expect(bulkFilterOf({ status: 'Failure' }, 'created_at')).toHaveProperty('filter');
  });
});

describe('previews', () => {
  it('of selected tasks count what each allows', () => {
    const tasks = [row('a', 'Failure', 'revive'), row('b', 'RetryPending', 'retry_now', 'pause'), row('c', 'Success')];
    expect(previewOfTasks('retry', tasks)).toMatchObject({ matched: 3, changed: 2, skipped: 1, byStatus: { Failure: 1, RetryPending: 1 } });
    expect(previewOfTasks('pause', tasks)).toMatchObject({ changed: 1, example: tasks[1] });
  });

  it('of a filter add up dry runs, and stop after 5', async () => {
    const asked: (string | null)[] = [];
    const preview = await previewOfFilter(async (after) => {
      asked.push(after);
      return result(10_000, `c${asked.length}`, { by_status: { Failure: 10_000 } });
    });
    expect(asked).toEqual([null, 'c1', 'c2', 'c3', 'c4']);
    expect(preview).toMatchObject({ changed: 50_000, byStatus: { Failure: 50_000 }, more: true, wave: null });
  });

  it('keep the wave when one dry run saw all', async () => {
    const wave = { now: '', from: '', step_ms: 60_000, overdue: 0, later: 0, counts: Array.from({ length: 60 }, () => 1) };
    expect(await previewOfFilter(async () => result(7, null, { wave }))).toMatchObject({ changed: 7, wave, more: false });
    expect(windowOf(wave)).toBe('hour');
  });
});

describe('steps', () => {
  const collect = async (...steps: BulkResult[]) => {
    const seen: Progress[] = [];
    const after: (string | null)[] = [];
    let stop = false;
    const run = (stopAfter = Infinity) => runSteps(async (cursor) => {
      after.push(cursor);
      return steps[after.length - 1] ?? result(0, null);
    }, NOTHING_YET, (progress) => {
      seen.push(progress);
      stop = seen.length >= stopAfter;
    }, () => stop);
    return { seen, after, run };
  };

  it('go on from the cursor of the step before, and add up', async () => {
    const { seen, after, run } = await collect(result(10_000, 'c1'), result(400, null, { skipped: 4 }));
    await run();
    expect(after).toEqual([null, 'c1']);
    expect(seen.at(-1)).toEqual({ changed: 10_400, skipped: 4, next: null });
  });

  it('stop when asked, and say where', async () => {
    const { seen, after, run } = await collect(result(10_000, 'c1'), result(10_000, 'c2'));
    await run(1);
    expect(after).toEqual([null]);
    expect(seen).toEqual([{ changed: 10_000, skipped: 0, next: 'c1' }]);
  });

  it('end when the cursor does not move', async () => {
    const { after, run } = await collect(result(1, 'c1'), result(0, 'c1'), result(0, 'c1'));
    await run();
    expect(after).toEqual([null, 'c1']);
  });

  it('of tasks leave alone what has changed meanwhile', async () => {
    const tasks = [row('a', 'Failure', 'revive'), row('b', 'Success'), row('c', 'Failure', 'revive')];
    const ran: string[] = [];
    const step = stepsOfTasks('retry', tasks, async (id) => {
      ran.push(id);
      if (id === 'c') throw new ApiError(409, {});
    });
    let last = NOTHING_YET;
    await runSteps(step, NOTHING_YET, (progress) => { last = progress; }, () => false);
    expect(ran).toEqual(['a', 'c']);
    expect(last).toEqual({ changed: 1, skipped: 2, next: null });
  });

  it('of tasks end at an error that says nothing about the task', async () => {
    const step = stepsOfTasks('retry', [row('a', 'Failure', 'revive')], () => Promise.reject(new ApiError(503, {})));
    await expect(runSteps(step, NOTHING_YET, () => {}, () => false)).rejects.toThrow('503');
  });
});
