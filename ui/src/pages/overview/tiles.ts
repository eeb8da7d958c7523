// SPDX-License-Identifier: Apache-2.0
// The five numbers below the sentences.
import type { Overview } from '../../api/overview';
import { capped, count } from '../../parts/when';
import { percent } from './sentences';
import type { Target } from './sentences';

export interface Tile {
  readonly name: string;
  readonly value: string;
  readonly note: string;
  /** An instant that follows the note, relative to now. */
  readonly at: string | null;
  readonly target: Target | null;
}

const UNKNOWN = '–';
/** Where the server stops counting live tasks. */
const LIVE_CAP = 100_000;

export function tilesOf(overview: Overview): Tile[] {
  const { live, slots, dead, hour } = overview;
  const known = overview.counted_at !== null;
  const alive = (number: number) => (known ? `${count(number)}${overview.capped ? '+' : ''}` : UNKNOWN);
  const retries = live.RetryPending ?? 0;
  const fresh = dead.tasks_1h + dead.deliveries_1h;
  const ended = hour.succeeded + hour.failed;
  return [
    {
      name: 'Running', value: alive(live.Running ?? 0), at: null,
      note: slots.of > 0 ? `${count(slots.busy)} of ${count(slots.of)} slots` : 'no slots',
      target: { to: '/tasks', search: { status: 'Running' }, word: 'Running' },
    },
    {
      name: 'Due', value: alive(overview.due), at: overview.due > 0 ? overview.oldest_due_at : null,
      note: overview.due > 0 && overview.oldest_due_at !== null ? 'oldest' : 'none waiting',
      target: { to: '/tasks', search: { status: 'Pending,RetryPending' }, word: 'Due' },
    },
    {
      name: 'Retries', value: known ? capped(retries, LIVE_CAP) : UNKNOWN, at: overview.next_retry_at,
      note: overview.next_retry_at === null ? 'none waiting' : 'next',
      target: { to: '/retries', search: {}, word: 'Retries' },
    },
    {
      name: 'Dead', value: deadWords(dead), at: null, note: fresh === 0 ? 'none in 1 h' : `+${count(fresh)} in 1 h`,
      target: { to: '/dead', search: {}, word: 'Dead' },
    },
    {
      name: 'Success', value: ended === 0 ? UNKNOWN : percent(hour.succeeded, ended), at: null,
      note: ended === 0 ? 'no attempt in 1 h' : `of ${count(ended)} ${ended === 1 ? 'attempt' : 'attempts'}, 1 h`, target: null,
    },
  ];
}

/** Tasks and deliveries together; counting stops at 10,000 of either. */
export function deadWords({ tasks, deliveries }: Overview['dead']): string {
  const cut = tasks >= 10_000 || deliveries >= 10_000;
  return `${count(tasks + deliveries)}${cut ? '+' : ''}`;
}
