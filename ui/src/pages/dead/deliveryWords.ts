// SPDX-License-Identifier: Apache-2.0
// A delivery in words.
import type { DeliveryGroup } from '../../api/deliveries';
import { ApiError } from '../../api/problem';
import { atLeast } from '../../parts/when';
import type { Delivery } from '../../api/dead';

/** The verb and URL of a webhook as the server shows them, or the channel of a notification. */
export function targetWords({ action, channel, id }: Pick<Delivery, 'action' | 'channel' | 'id'>): string {
  if (typeof channel === 'string') return `channel ${channel}`;
  const { verb, url } = (action as { readonly params?: Partial<Record<string, unknown>> } | null)?.params ?? {};
  const words = [typeof verb === 'string' ? verb.toUpperCase() : null, url].filter((word) => typeof word === 'string');
  return words.length === 0 ? id : words.join(' ');
}

/** "HTTP 503: upstream connect error", or whatever is known. */
export function failureWords({ failure_status: status, failure_reason: reason, failure_kind: kind }: Pick<Delivery, 'failure_status' | 'failure_reason' | 'failure_kind'>): string {
  const named = typeof status === 'number' && reason?.includes(String(status)) !== true ? `HTTP ${status}` : null;
  return [named, reason].filter((word) => typeof word === 'string' && word !== '').join(': ') || (kind ?? '');
}

/** "pay.example · HTTP 503", "notifications · timeout". */
export function deliveryGroupTitle({ host, status, failure_kind: failure }: Pick<DeliveryGroup, 'host' | 'status' | 'failure_kind'>): string {
  return [host ?? 'notifications', status === null ? failure?.replaceAll('_', ' ') : `HTTP ${status}`].filter(Boolean).join(' · ');
}

/** "1 delivery", "1,000+ deliveries". */
export function deliveryCount(deliveries: number, more: boolean): string {
  return `${atLeast(deliveries, !more)} ${deliveries === 1 && !more ? 'delivery' : 'deliveries'}`;
}

/** One delivery a step. One that has changed meanwhile is left alone. */
export function stepsOfIds(ids: readonly string[], run: (id: string) => Promise<unknown>) {
  return async (after: string | null) => {
    const index = after === null ? 0 : Number(after);
    const next = index + 1 < ids.length ? String(index + 1) : null;
    try {
      await run(ids[index] ?? '');
      return { changed: 1, skipped: 0, next };
    } catch (error) {
      if (error instanceof ApiError && (error.status === 409 || error.status === 404)) return { changed: 0, skipped: 1, next };
      throw error;
    }
  };
}
