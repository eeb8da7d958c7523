// SPDX-License-Identifier: Apache-2.0
import { expect, it } from 'vitest';
import { FIRST_SLIDERS, meaningOf, runWords, scenarioOf, verdictOf } from './storm';

it('asks with the values of the sliders', () => {
  expect(scenarioOf(FIRST_SLIDERS)).toEqual({ clients: 1_000, outage: '30s', capacity: 1_000, budget: 0.1 });
});

it('says what came out of it', () => {
  expect(runWords({ amplification: 3.41, drain_ms: null })).toBe('3.4 × load, never recovers');
  expect(runWords({ amplification: 1, drain_ms: 28_000 })).toBe('1 × load, recovers after 28 s');
  expect((['stable', 'vulnerable', 'metastable'] as const).map((verdict) => verdictOf({ verdict }))).toEqual(['good', 'warning', 'bad']);
  expect(meaningOf({ verdict: 'vulnerable' })).toBe('It recovers from this outage, but not from one four times as long.');
});
