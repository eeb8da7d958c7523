// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import type { ErrorGroup } from '../../api/dead';
import { failureWords, targetWords } from './deliveryWords';
import { groupFilter, groupId, groupTitle, kindWords, reasonWords, spanWords, taskCount, totalOf } from './groups';
import { beginOf, readDeadSearch } from './search';

const GROUP: ErrorGroup = {
  error: '9f2c41d07be3a815', title: 'card ‹n› declined', failure_kind: 'exception', status: null, code: null,
  give_up_reasons: { exhausted: 190 }, kinds: [{ kind: 'charge-card', count: 188 }, { kind: 'refund', count: 2 }],
  count: 190, capped: false, first_at: '2026-11-16T02:02:00Z', last_at: '2026-11-16T02:09:00Z', spark: [0, 190],
  sample: { task: null, message: null },
};

describe('a group', () => {
  it('stands for the tasks of its error or of its kind', () => {
    expect(groupFilter(GROUP, 'error', 'T')).toEqual({ error: '9f2c41d07be3a815', ended_after: 'T' });
    expect(groupFilter(GROUP, 'kind', 'T')).toEqual({ kind: 'charge-card', ended_after: 'T' });
  });

  it('without a fingerprint stands for no filter, which would also find other tasks', () => {
    const old = { ...GROUP, error: null };
    expect(groupFilter(old, 'error', 'T')).toBeNull();
    expect(groupId(old, 'error')).toBe('failure exception');
  });

  it('is called by its error or its kind', () => {
    expect([groupTitle(GROUP, 'error'), groupTitle(GROUP, 'kind')]).toEqual(['card ‹n› declined', 'charge-card']);
    expect([groupId(GROUP, 'error'), groupId(GROUP, 'kind')]).toEqual(['error 9f2c41d07be3a815', 'kind charge-card']);
  });

  it('says how many tasks it has', () => {
    expect(taskCount({ count: 1, capped: false })).toBe('1 task');
    expect(taskCount({ count: 190, capped: false })).toBe('190 tasks');
    expect(taskCount({ count: 10_000, capped: true })).toBe('10,000+ tasks');
    expect(totalOf([GROUP, GROUP], true)).toBe('380');
    expect(totalOf([GROUP], false)).toBe('190+');
    expect(totalOf([{ ...GROUP, capped: true }], true)).toBe('190+');
  });

  it('names its largest kinds', () => {
    const kinds = Array.from({ length: 7 }, (_, i) => ({ kind: `k${i}`, count: 9 - i }));
    expect(kindWords(GROUP.kinds)).toEqual(['charge-card 188', 'refund 2']);
    expect(kindWords(kinds.slice(0, 6)).at(-1)).toBe('1 more kind');
    expect(kindWords(kinds)).toEqual(['k0 9', 'k1 8', 'k2 7', 'k3 6', 'k4 5', '2 more kinds']);
  });

  it('counts its reasons only if there are several', () => {
    expect(reasonWords({ exhausted: 190 })).toEqual(['exhausted']);
    expect(reasonWords({ expired: 3, exhausted: 190 })).toEqual(['exhausted 190', 'expired 3']);
    expect(reasonWords({})).toEqual([]);
  });
});

describe('first and last', () => {
  const now = Date.parse('2026-11-16T03:10:00Z');
  const words = (first: string, last: string) => spanWords(Date.parse(first), Date.parse(last), now, 'UTC');

  it.each([
    ['2026-11-16T03:02:10Z', '2026-11-16T03:09:00Z', 'first 03:02, last 03:09'],
    ['2026-11-16T01:44:10Z', '2026-11-16T01:44:50Z', 'first and last 01:44'],
    ['2026-11-11T08:00:00Z', '2026-11-16T02:58:00Z', 'first 11 Nov, last 02:58'],
    ['2026-11-15T23:59:00Z', '2026-11-16T00:01:00Z', 'first 15 Nov, last 00:01'],
    ['2025-11-16T03:09:00Z', '2025-11-16T03:10:00Z', 'first and last 16 Nov'],
  ])('%s and %s: %s', (first, last, expected) => {
    expect(words(first, last)).toBe(expected);
  });
});

describe('the address', () => {
  it('keeps what is understood and not the default', () => {
    expect(readDeadSearch({ tab: 'tasks', since: '24h', by: 'error', after: 'x' })).toEqual({});
    expect(readDeadSearch({ since: '7d', by: 'kind', other: '1' })).toEqual({ since: '7d', by: 'kind' });
    expect(readDeadSearch({ tab: 'deliveries', after: 'x', since: '2d' })).toEqual({ tab: 'deliveries', after: 'x' });
  });

  it('begins at a whole minute', () => {
    expect(beginOf('1h', Date.parse('2026-11-16T03:10:59.999Z'))).toBe('2026-11-16T02:10:00.000Z');
  });
});

describe('a delivery', () => {
  it('says where it goes', () => {
    const hook = { kind: 'Webhook', params: { verb: 'Post', url: 'https://a.example/…' } };
    expect(targetWords({ id: 'd', action: hook, channel: null })).toBe('POST https://a.example/…');
    expect(targetWords({ id: 'd', action: null, channel: 'ops' })).toBe('channel ops');
    expect(targetWords({ id: 'd', action: null, channel: null })).toBe('d');
  });

  it('says why it failed, the status once', () => {
    expect(failureWords({ failure_status: 503, failure_reason: 'HTTP 503 from a.example', failure_kind: 'http' })).toBe('HTTP 503 from a.example');
    expect(failureWords({ failure_status: 503, failure_reason: 'too busy', failure_kind: 'http' })).toBe('HTTP 503: too busy');
    expect(failureWords({ failure_status: null, failure_reason: null, failure_kind: 'unreachable' })).toBe('unreachable');
  });
});
