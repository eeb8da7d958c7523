// SPDX-License-Identifier: Apache-2.0
import { expect, it } from 'vitest';
import { readSettingsSearch } from './search';
import { detailWords, keyState, kindList, missing, slotWords } from './words';

const NOW = Date.parse('2026-11-16T03:10:00Z');

it.each([
  [{ live: true }, 'live'],
  [{ live: true, expires_at: null, revoked_at: null }, 'live'],
  [{ live: true, expires_at: '2026-11-16T03:10:01Z' }, 'live'],
  [{ live: true, expires_at: '2026-11-16T03:10:00Z' }, 'expired'],
  [{ live: false, expires_at: '2026-11-15T00:00:00Z' }, 'expired'],
  [{ live: false, expires_at: '2026-11-15T00:00:00Z', revoked_at: '2026-11-14T00:00:00Z' }, 'revoked'],
  [{ live: true, revoked_at: '2026-11-16T03:09:59Z' }, 'revoked'],
] as const)('a key %j is %s', (key, state) => {
  expect(keyState(key, NOW)).toBe(state);
});

it('says what a new key lacks', () => {
  expect(missing(' ', ['read'], false)).toBe('Give the key a name.');
  expect(missing('ci', [], false)).toBe('Choose at least one role.');
  expect(missing('ci', ['read'], false)).toBeNull();
  expect(missing('ci', ['read'], true)).toMatch(/^The first key needs the role admin/);
  expect(missing('ci', ['read', 'admin'], true)).toBeNull();
});

it('counts slots and kinds', () => {
  expect([slotWords(32, 64), slotWords(3, null)]).toEqual(['32 of 64', '3']);
  expect(kindList([])).toBe('none');
  expect(kindList(['a', 'b', 'c', 'd'])).toBe('a, b, c, d');
  expect(kindList(['a', 'b', 'c', 'd', 'e'])).toBe('a, b, c, d and 1 more');
});

it('shows details on one line', () => {
  expect(detailWords(null)).toBe('');
  expect(detailWords({ reason: 'paid by hand', at: null, filter: { kind: 'a' } })).toBe('reason: paid by hand · filter: {"kind":"a"}');
  expect(detailWords(['a'])).toBe('["a"]');
});

it('keeps filter and page of the audit only', () => {
  expect(readSettingsSearch({ tab: 'nodes', subject: 'x' })).toEqual({});
  expect(readSettingsSearch({ tab: 'nonsense' })).toEqual({});
  expect(readSettingsSearch({ tab: 'keys', subject: 'x', after: '1' })).toEqual({ tab: 'keys' });
  expect(readSettingsSearch({ tab: 'audit', subject: ' x ', after: '1' })).toEqual({ tab: 'audit', subject: 'x', after: '1' });
});
