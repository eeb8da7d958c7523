// SPDX-License-Identifier: Apache-2.0
// The scenario of an outage, and what came out of it in words.
import type { StormRun } from '../../api/policies';
import { duration } from '../../parts/when';

/** Where the sliders stand. */
export interface Sliders {
  readonly clients: number;
  readonly outageS: number;
  readonly capacity: number;
  readonly budgetPercent: number;
}

export const FIRST_SLIDERS: Sliders = { clients: 1_000, outageS: 30, capacity: 1_000, budgetPercent: 10 };

export const CLIENTS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000] as const;
export const OUTAGES = [1, 2, 5, 10, 20, 30, 60, 120, 180, 300] as const;
export const CAPACITIES = [50, 100, 200, 500, 1_000, 2_000] as const;
export const BUDGETS = [0, 1, 2, 5, 10, 20, 50, 100] as const;

export function scenarioOf({ clients, outageS, capacity, budgetPercent }: Sliders) {
  return { clients, outage: `${outageS}s`, capacity, budget: budgetPercent / 100 };
}

export type Verdict = 'good' | 'warning' | 'bad';

const VERDICTS: Readonly<Record<StormRun['verdict'], Verdict>> = { stable: 'good', vulnerable: 'warning', metastable: 'bad' };

export function verdictOf({ verdict }: Pick<StormRun, 'verdict'>): Verdict {
  return VERDICTS[verdict];
}

const MEANINGS: Readonly<Record<StormRun['verdict'], string>> = {
  stable: 'It recovers, even from an outage four times as long.',
  vulnerable: 'It recovers from this outage, but not from one four times as long.',
  metastable: 'The retries keep it down even after the outage is over.',
};

export function meaningOf({ verdict }: Pick<StormRun, 'verdict'>): string {
  return MEANINGS[verdict];
}

/** "3.4 × load, never recovers" */
export function runWords({ amplification, drain_ms: drain }: Pick<StormRun, 'amplification' | 'drain_ms'>): string {
  const load = new Intl.NumberFormat('en', { maximumFractionDigits: 1 }).format(amplification);
  return `${load} × load, ${drain === null ? 'never recovers' : `recovers after ${duration(drain)}`}`;
}
