// SPDX-License-Identifier: Apache-2.0
// What the side bar says beside its places.
import type { Overview } from '../api/overview';
import { count } from '../parts/when';
import type { Path } from './places';

export interface Mark {
  /** Empty for a mere dot. */
  readonly text: string;
  /** What it counts, for those who do not see where it stands. */
  readonly word: string;
}

/** A server of another version may answer with less; the places must stay usable then. */
export function marksOf(overview: Partial<Overview> | undefined): Partial<Record<Path, Mark>> {
  const { live, dead, problems } = overview ?? {};
  if (!overview || !live || !dead || !problems) return {};
  const cut = overview.capped ? '+' : '';
  const late = problems.some((one) => one.id === 'node_late' && one.over_at === null);
  return {
    ...number('/tasks', live.Running ?? 0, cut, 'running'),
    ...number('/retries', live.RetryPending ?? 0, cut, 'waiting'),
    ...number('/dead', dead.tasks + dead.deliveries, dead.tasks >= 10_000 || dead.deliveries >= 10_000 ? '+' : '', 'open'),
    ...(late ? { '/settings': { text: '', word: 'a node is late' } } : {}),
  };
}

function number(path: Path, value: number, cut: string, word: string): Partial<Record<Path, Mark>> {
  return value === 0 ? {} : { [path]: { text: `${count(value)}${cut}`, word } };
}
