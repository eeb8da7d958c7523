// SPDX-License-Identifier: Apache-2.0
// What a policy does: asked of the server, never computed here.
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from './client';
import { ApiError } from './problem';
import type { paths } from './schema';

type Body<P extends keyof paths> = paths[P] extends { post: { requestBody: { content: { 'application/json': infer B } } } } ? B : never;

export interface PlanEntry {
  readonly attempt: number;
  readonly retry: boolean;
  readonly reason?: string;
  readonly total_min_ms?: number;
  readonly total_max_ms?: number;
  readonly total_expected_ms?: number;
  readonly delay_min_ms?: number;
  readonly delay_max_ms?: number;
  readonly delay_expected_ms?: number;
}

/** The answer of `POST /policy/explain`. Fields with a question mark come from newer servers only. */
export interface Explanation {
  readonly words: string | readonly string[];
  readonly attempts: readonly PlanEntry[];
  readonly more: boolean;
  readonly canonical?: unknown;
  readonly sentence?: string | null;
  readonly java?: string | null;
}

export interface Warning {
  readonly id: string;
  readonly path: string;
  readonly message: string;
  readonly fix: string;
}

export interface LintAnswer {
  readonly warnings: readonly Warning[];
  readonly canonical?: unknown;
}

export interface StormRun {
  readonly verdict: string;
  readonly amplification: number;
  readonly peak_load: number;
  readonly success_rate: number;
  readonly drain_ms: number | null;
  readonly sent: readonly number[];
  readonly answered: readonly number[];
}

export interface Storm {
  readonly outage_starts_ms: number;
  readonly outage_ends_ms: number;
  readonly without_retries: StormRun;
  readonly with_policy: StormRun;
  readonly with_budget: StormRun;
}

export interface Scenario {
  readonly clients: number;
  readonly outage: string;
  readonly capacity: number;
  readonly budget: number;
}

const PLANNED = 40;

/** The server runs one simulation at a time. */
const BUSY_RETRIES = 8;
const BUSY_MS = 1_000;

export function explanation(policy: unknown, failure: unknown) {
  return queryOptions({
    queryKey: ['policy', 'explain', policy, failure],
    queryFn: async ({ signal }) => {
      const body = { policy, attempts: PLANNED, ...(failure === null ? {} : { failures: [failure] }) } as Body<'/policy/explain'>;
      return bodyOf(await api.POST('/policy/explain', { body, signal })) as unknown as Explanation;
    },
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    retry: false,
  });
}

export function lint(policy: unknown, clients: number) {
  return queryOptions({
    queryKey: ['policy', 'lint', policy, clients],
    queryFn: async ({ signal }) => {
      const body = { policy, clients } as Body<'/policy/lint'>;
      return bodyOf(await api.POST('/policy/lint', { body, signal })) as unknown as LintAnswer;
    },
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    retry: false,
  });
}

/** A request that is no longer wanted is aborted. */
export function simulation(policy: unknown, failure: unknown, scenario: Scenario) {
  return queryOptions({
    queryKey: ['policy', 'simulate', policy, failure, scenario],
    queryFn: async ({ signal }) => {
      const body = { policy, ...scenario, ...(failure === null ? {} : { failures: [failure] }) } as Body<'/policy/simulate'>;
      return bodyOf(await api.POST('/policy/simulate', { body, signal })) as unknown as Storm;
    },
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    retry: (failures, error) => failures < BUSY_RETRIES && error instanceof ApiError && error.status === 503,
    retryDelay: BUSY_MS,
  });
}
