// SPDX-License-Identifier: Apache-2.0
// The state of the page in its address: tab, time, grouping and page.
import type { GroupBy } from '../../api/dead';

export const SINCE = [
  { value: '1h', word: '1 h' }, { value: '24h', word: '24 h' }, { value: '7d', word: '7 days' },
  { value: '30d', word: '30 days' }, { value: '366d', word: 'a year' },
] as const;

export type Since = (typeof SINCE)[number]['value'];

const HOUR = 3_600_000;
const LENGTHS: Readonly<Record<Since, number>> = {
  '1h': HOUR, '24h': 24 * HOUR, '7d': 7 * 24 * HOUR, '30d': 30 * 24 * HOUR, '366d': 366 * 24 * HOUR,
};

export interface DeadSearch {
  readonly tab?: 'deliveries';
  readonly since?: Since;
  readonly by?: GroupBy;
  readonly after?: string;
}

/** Keeps what the page understands of its address. What is the default is left out. */
export function readDeadSearch(raw: Readonly<Record<string, unknown>>): DeadSearch {
  const since = SINCE.find(({ value }) => value === raw.since)?.value;
  return {
    ...(raw.tab === 'deliveries' ? { tab: 'deliveries' } : {}),
    ...(since === undefined || since === '24h' ? {} : { since }),
    ...(raw.by === 'kind' ? { by: 'kind' } : {}),
    ...(raw.tab === 'deliveries' && typeof raw.after === 'string' && raw.after !== '' ? { after: raw.after } : {}),
  };
}

/** When the time of the page begins, at whole minutes so that an open list does not ask without end. */
export function beginOf(since: Since, now: number): string {
  return new Date(Math.floor((now - LENGTHS[since]) / 60_000) * 60_000).toISOString();
}
