// SPDX-License-Identifier: Apache-2.0
// What a policy does: asked of the server, never computed here.
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from './client';
import { ApiError } from './problem';
import type { components, paths } from './schema';

type Body<P extends keyof paths> = paths[P] extends { post: { requestBody: { content: { 'application/json': infer B } } } } ? B : never;

/** The answer of `POST /policy/explain`. */
export type Explanation = components['schemas']['PolicyTimeline'];
export type LintAnswer = components['schemas']['PolicyWarnings'];
export type Warning = LintAnswer['warnings'][number];
export type StormRun = components['schemas']['SimulatedRun'];
export type Storm = components['schemas']['Simulation'];
/** A failure to try a policy with. The schema leaves its fields open. */
export interface Failure {
  readonly kind: string;
  readonly status?: number;
  readonly code?: string;
  readonly exception_types?: readonly string[];
  readonly retry_after_ms?: number;
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

/** `failures` are those of the attempts in turn; the last one repeats. */
export function explanation(policy: unknown, failures: readonly Failure[]) {
  return queryOptions({
    queryKey: ['policy', 'explain', policy, failures],
    queryFn: async ({ signal }) => {
      const body = { policy, attempts: PLANNED, ...(failures.length === 0 ? {} : { failures }) } as unknown as Body<'/policy/explain'>;
      return bodyOf(await api.POST('/policy/explain', { body, signal }));
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
      return bodyOf(await api.POST('/policy/lint', { body, signal }));
    },
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    retry: false,
  });
}

/** A request that is no longer wanted is aborted. */
export function simulation(policy: unknown, failure: Failure | null, scenario: Scenario) {
  return queryOptions({
    queryKey: ['policy', 'simulate', policy, failure, scenario],
    queryFn: async ({ signal }) => {
      const body = { policy, ...scenario, ...(failure === null ? {} : { failures: [failure] }) } as unknown as Body<'/policy/simulate'>;
      return bodyOf(await api.POST('/policy/simulate', { body, signal }));
    },
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    retry: (failures, error) => failures < BUSY_RETRIES && error instanceof ApiError && error.status === 503,
    retryDelay: BUSY_MS,
  });
}
