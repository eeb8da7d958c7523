// SPDX-License-Identifier: Apache-2.0
// A delivery in words.
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
