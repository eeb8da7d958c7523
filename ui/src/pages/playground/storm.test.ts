// SPDX-License-Identifier: Apache-2.0
import { expect, it } from 'vitest';
import { FIRST_SLIDERS, meaningOf, runWords, scenarioOf, verdictOf } from './storm';

const run = (verdict: string, amplification: number, drain_ms: number | null) => ({
  verdict, amplification, drain_ms, peak_load: 1, success_rate: 1, sent: [], answered: [],
});

it('asks with the values of the sliders', () => {
  expect(scenarioOf(FIRST_SLIDERS)).toEqual({ clients: 1_000, outage: '30s', capacity: 1_000, budget: 0.1 });
});

it('says what came out of it', () => {
  expect(runWords(run('metastable', 3.41, null))).toBe('3.4 × load, never back');
  expect(runWords(run('stable', 1, 28_000))).toBe('1 × load, back after 28 s');
  expect(['stable', 'vulnerable', 'metastable', 'new'].map((name) => verdictOf(run(name, 1, 0)))).toEqual(['good', 'warning', 'bad', 'warning']);
  expect(meaningOf(run('vulnerable', 1, 0))).toBe('It recovers from this outage, but not from one four times as long.');
});
