// SPDX-License-Identifier: Apache-2.0
import { expect, it } from 'vitest';
import { EMPTY_RULE, rulesOf } from './rule';

it('removes limits', () => {
  expect(rulesOf(EMPTY_RULE)).toEqual([]);
});

it('makes each sort of limit', () => {
  expect(rulesOf({ ...EMPTY_RULE, type: 'Concurrency', max: '5', fields: 'tenant, region,' }))
    .toEqual([{ type: 'Concurrency', max_concurrency: 5, matcher: { fields: ['tenant', 'region'] } }]);
  expect(rulesOf({ ...EMPTY_RULE, type: 'Capacity', max: '1000' })).toEqual([{ type: 'Capacity', max_capacity: 1_000 }]);
  expect(rulesOf({ ...EMPTY_RULE, type: 'Rate', max: '5', per: '1m' })).toEqual([{ type: 'Rate', max_starts: 5, per: '1m' }]);
});

it.each(['', '0', '-1', '1.5', 'x', '9999999999'])('waits for a number instead of %j', (max) => {
  expect(rulesOf({ ...EMPTY_RULE, type: 'Concurrency', max })).toBeNull();
});

it('waits for the period of a rate', () => {
  expect(rulesOf({ ...EMPTY_RULE, type: 'Rate', max: '5', per: ' ' })).toBeNull();
});
