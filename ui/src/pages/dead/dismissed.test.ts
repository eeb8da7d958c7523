// SPDX-License-Identifier: Apache-2.0
import { expect, it } from 'vitest';
import { isDismissed, readDismissed, withDismissed, without } from './dismissed';

it('hides a group until another task fails', () => {
  const dismissed = withDismissed({}, [{ id: 'error a', lastAt: 1_000 }]);
  expect(isDismissed(dismissed, 'error a', 1_000)).toBe(true);
  expect(isDismissed(dismissed, 'error a', 1_001)).toBe(false);
  expect(isDismissed(dismissed, 'error b', 1_000)).toBe(false);
});

it('stays hidden when its newest tasks were revived', () => {
  expect(isDismissed({ 'error a': 1_000 }, 'error a', 900)).toBe(true);
});

it('can be dismissed again after it grew, and shown again', () => {
  const again = withDismissed({ 'error a': 1_000 }, [{ id: 'error a', lastAt: 2_000 }]);
  expect(isDismissed(again, 'error a', 2_000)).toBe(true);
  expect(without(again, ['error a'])).toEqual({});
});

it('keeps the 200 newest', () => {
  const many = Array.from({ length: 250 }, (_, i) => ({ id: `error ${i}`, lastAt: i }));
  const kept = withDismissed({}, many);
  expect(Object.keys(kept)).toHaveLength(200);
  expect(kept['error 249']).toBe(249);
  expect(kept['error 49']).toBeUndefined();
});

it.each([null, 'nonsense', '5', 'null', '{"error a": "x"}'])('reads %s as nothing', (text) => {
  expect(readDismissed(text)).toEqual({});
});

it('takes no property of all objects for a group', () => {
  expect(isDismissed({}, 'constructor', 0)).toBe(false);
});
