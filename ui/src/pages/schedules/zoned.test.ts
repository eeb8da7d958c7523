// SPDX-License-Identifier: Apache-2.0
import { expect, it } from 'vitest';
import { zonedTime } from './zoned';

const AT = Date.parse('2026-11-17T07:00:00Z');

it('tells the time in the zone of the schedule', () => {
  expect(zonedTime(AT, 'Europe/Paris')).toBe('Tue 17 Nov 08:00');
  expect(zonedTime(AT, 'UTC')).toBe('Tue 17 Nov 07:00');
});

it('does not fail while a zone is being typed', () => {
  expect(zonedTime(AT, 'Europe/Par')).toBe(zonedTime(AT));
});
