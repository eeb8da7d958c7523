// SPDX-License-Identifier: Apache-2.0
import { expect, it } from 'vitest';
import { durationText, inUnit, msOf, parseDuration } from './duration';

it.each([
  ['250ms', 250], ['90s', 90_000], ['5m', 300_000], ['1.5h', 5_400_000], ['7d', 604_800_000], ['2w', 1_209_600_000],
  ['PT5M', 300_000], ['PT1H30M', 5_400_000], ['P1DT1S', 86_401_000],
])('reads %s', (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

it.each(['', 'soon', '5', '5 min', 'P', 'PT', null, 5])('does not read %j', (text) => {
  expect(parseDuration(text)).toBeNull();
});

it.each([
  [5_400_000, '90', 'min'], [3_600_000, '1', 'h'], [172_800_000, '2', 'd'], [90_000, '90', 's'], [1_500, '1.5', 's'], [0, '0', 's'],
])('shows %d ms as %s %s', (ms, amount, unit) => {
  expect(inUnit(ms)).toEqual({ amount, unit });
});

it('reads what people type', () => {
  expect(msOf(' 5 ', 'min')).toBe(300_000);
  expect(msOf('1,5', 'h')).toBe(5_400_000);
  expect(msOf('', 'min')).toBeNull();
  expect(msOf('-1', 'min')).toBeNull();
});

it('writes what the API reads', () => {
  expect([300_000, 5_400_000, 250, 1_500, 86_400_000].map(durationText)).toEqual(['5m', '90m', '250ms', '1500ms', '1d']);
});
