// SPDX-License-Identifier: Apache-2.0
// Deliveries that were given up, in groups that failed alike, and sending many of them again.
import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from './client';
import { ApiError } from './problem';

export interface DeliveryGroup {
  /** Null for notifications. */
  readonly host: string | null;
  readonly status: number | null;
  readonly failure_kind: string | null;
  readonly count: number;
  readonly capped: boolean;
  readonly first_at: string;
  readonly last_at: string;
  readonly sample: { readonly id: string; readonly task_id: string; readonly message: string | null };
}

/** A field that is null selects deliveries without that value. */
export interface DeliveryFilter {
  readonly state: 'dead';
  readonly host: string | null;
  readonly status: number | null;
  readonly failure_kind: string | null;
  readonly since: string;
}

export interface DeliveryStep {
  readonly filter: DeliveryFilter;
  readonly spread?: string | null;
  readonly dryRun?: boolean;
  readonly after?: string | null;
}

export interface DeliveryResult {
  readonly matched: number;
  readonly changed: number;
  readonly skipped: number;
  readonly next: string | null;
}

type Answer<T> = Promise<{ data?: T; error?: unknown; response: Response }>;
const untyped = api as unknown as {
  GET<T>(path: string, options: object): Answer<T>;
  POST<T>(path: string, options: object): Answer<T>;
};

/** Groups of dead deliveries, the largest first; null if the server does not know them. */
export function deliveryGroups(since: string) {
  return queryOptions({
    queryKey: ['tasks', 'delivery-groups', since],
    queryFn: async ({ signal }) => {
      try {
        return bodyOf(await untyped.GET<DeliveryGroup[]>('/delivery/group', { params: { query: { since } }, signal }));
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }
    },
  });
}

/** One step: the server sends at most 1,000 deliveries again in one request. */
export async function redeliverStep({ filter, spread, dryRun = false, after }: DeliveryStep, signal?: AbortSignal): Promise<DeliveryResult> {
  const body = { action: 'redeliver', filter, dry_run: dryRun, ...(spread ? { spread } : {}), ...(after ? { after } : {}) };
  return bodyOf(await untyped.POST<DeliveryResult>('/delivery/bulk', { body, ...(signal ? { signal } : {}) }));
}
