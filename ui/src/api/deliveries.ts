// SPDX-License-Identifier: Apache-2.0
// Deliveries that were given up, in groups that failed alike, and sending many of them again.
import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from './client';
import type { components } from './schema';

export type DeliveryGroup = components['schemas']['DeliveryGroup'];
export type DeliveryResult = components['schemas']['DeliveryBulkResult'];

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

/** Groups of dead deliveries, the largest first. */
export function deliveryGroups(since: string) {
  return queryOptions({
    queryKey: ['tasks', 'deliveries', 'groups', since],
    queryFn: async ({ signal }) => bodyOf(await api.GET('/delivery/group', { params: { query: { since } }, signal })),
  });
}

/** One step: the server sends at most 1,000 deliveries again in one request. */
export async function redeliverStep({ filter, spread, dryRun = false, after }: DeliveryStep, signal?: AbortSignal): Promise<DeliveryResult> {
  const body = { action: 'redeliver' as const, filter, dry_run: dryRun, ...(spread ? { spread } : {}), ...(after ? { after } : {}) };
  return bodyOf(await api.POST('/delivery/bulk', { body, ...(signal ? { signal } : {}) }));
}
