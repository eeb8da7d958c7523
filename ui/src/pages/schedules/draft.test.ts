// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import type { Schedule } from '../../api/schedules';
import { changesOf, draftErrors, draftOf, newDraft, newSchedule, triggerOf } from './draft';

const LADDER = [{ count: 5, delay_minutes: 5 }, { count: 0, delay_minutes: 60 }];

function stored(changes: object = {}): Schedule {
  return {
    name: 'Book a court', trigger: { cron: '0 8 * * 1-5', zone: 'Europe/Paris' }, overlap: 'skip', misfire: 'fire_once', version: 3,
    task: { kind: 'book-court' }, batch: null, retry: LADDER, ...changes,
  } as unknown as Schedule;
}

describe('triggers', () => {
  it.each([
    { cron: '0 8 * * 1-5', zone: 'Europe/Paris' }, { every: '10m' }, { at: '08:00', days: ['mon', 'thu'], zone: 'UTC' }, { at: '08:00', zone: 'UTC' },
  ])('survive the editor: %j', (trigger) => {
    expect(triggerOf(draftOf(stored({ trigger })).trigger)).toEqual(trigger);
  });

  it('on all days name none', () => {
    const days = ['monday', 'TUE', 'wed', 'thu', 'fri', 'sat', 'sun'];
    expect(triggerOf(draftOf(stored({ trigger: { at: '08:00', days } })).trigger)).toEqual({ at: '08:00', zone: 'UTC' });
  });
});

describe('a new schedule', () => {
  const draft = { ...newDraft('Europe/Paris'), name: ' report ', work: '{"kind": "report"}' };

  it('has no retries until they are switched on', () => {
    expect(newSchedule(draft)).toEqual({
      name: 'report', trigger: { cron: '0 8 * * 1-5', zone: 'Europe/Paris' }, overlap: 'skip', misfire: 'fire_once', task: { kind: 'report' },
    });
    expect(newSchedule({ ...draft, retryOn: true }).retry).toHaveLength(3);
  });

  it.each(['[{"kind": "a"}]', '{"tasks": [{"kind": "a"}]}'])('of %s submits a batch', (work) => {
    expect(newSchedule({ ...draft, work })).toMatchObject({ batch: JSON.parse(work) });
    expect(newSchedule({ ...draft, work })).not.toHaveProperty('task');
  });

  it('says what is missing', () => {
    expect(draftErrors(draft)).toEqual([]);
    expect(draftErrors({ ...draft, name: ' ', work: '{' }).map(({ path }) => path)).toEqual(['name', 'task']);
    const ladder = { steps: [{ id: 1, count: 'x', delay: '5', unit: 'min' as const }], only: [], rest: {} };
    expect(draftErrors({ ...draft, ladder }).map(({ path }) => path)).toEqual([]);
    expect(draftErrors({ ...draft, retryOn: true, ladder }).map(({ path }) => path)).toEqual(['retry']);
  });
});

describe('changes', () => {
  const before = draftOf(stored());

  it('are none if nothing changed', () => {
    expect(changesOf(before, draftOf(stored()), 3)).toBeNull();
  });

  it('never send back a task that was not edited', () => {
    expect(changesOf(before, { ...before, overlap: 'queue' }, 3)).toEqual({ overlap: 'queue', version: 3 });
    expect(changesOf(before, { ...before, work: '{"kind":"x"}' }, 3)).toEqual({ task: { kind: 'x' }, batch: null, version: 3 });
  });

  it('remove the retries when they are switched off', () => {
    expect(changesOf(before, { ...before, retryOn: false }, 3)).toEqual({ retry: null, version: 3 });
  });

  it('leave a policy alone that is not a ladder', () => {
    const other = draftOf(stored({ retry: { preset: 'http' } }));
    expect(other).toMatchObject({ retryOn: true, ladder: null });
    expect(changesOf(other, { ...other, misfire: 'skip' }, 3)).toEqual({ misfire: 'skip', version: 3 });
  });
});
