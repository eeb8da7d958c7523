// SPDX-License-Identifier: Apache-2.0
// Groups of failed tasks: their words, and the tasks that they stand for.
import type { ErrorGroup, GroupBy, GroupFilter } from '../../api/dead';
import { count } from '../../parts/when';

const KINDS_SHOWN = 5;

/** Identifies a group in this browser. */
export function groupId({ error, failure_kind: failure, kinds }: ErrorGroup, by: GroupBy): string {
  if (by === 'kind') return `kind ${kinds[0]?.kind ?? ''}`;
  return error === null ? `failure ${failure ?? ''}` : `error ${error}`;
}

/**
 * The tasks of a group as a filter. Null for tasks without a fingerprint: no filter finds those,
 * and that by failure kind would also find the tasks of other groups.
 */
export function groupFilter({ error, kinds }: ErrorGroup, by: GroupBy, ended_after: string): GroupFilter | null {
  if (by === 'kind') return kinds[0] ? { kind: kinds[0].kind, ended_after } : null;
  return error === null ? null : { error, ended_after };
}

/** With one group per kind, the kind is its title. */
export function groupTitle(group: ErrorGroup, by: GroupBy): string {
  const kind = group.kinds[0]?.kind;
  return by === 'kind' && kind !== undefined ? kind : group.title;
}

/** "190 tasks", "10,000+ tasks". */
export function taskCount({ count: tasks, capped }: Pick<ErrorGroup, 'count' | 'capped'>): string {
  if (tasks === 1 && !capped) return '1 task';
  return `${count(tasks)}${capped ? '+' : ''} tasks`;
}

/** "charge-card 188", "refund 2": the largest five, then how many more there are. */
export function kindWords(kinds: ErrorGroup['kinds']): string[] {
  const shown = kinds.slice(0, KINDS_SHOWN).map(({ kind, count: tasks }) => `${kind} ${count(tasks)}`);
  const rest = kinds.length - shown.length;
  return rest > 0 ? [...shown, rest === 1 ? '1 more kind' : `${count(rest)} more kinds`] : shown;
}

/** "exhausted", or "exhausted 190 · expired 3" if there are several reasons. */
export function reasonWords(reasons: Readonly<Record<string, number>>): string[] {
  const all = Object.entries(reasons).sort(([, a], [, b]) => b - a);
  return all.map(([reason, tasks]) => (all.length === 1 ? reason : `${reason} ${count(tasks)}`));
}

/** "first 03:02, last 03:09", "first and last 01:44", "first 11 Nov, last 02:58". */
export function spanWords(first: number, last: number, now: number, zone?: string): string {
  const [from, to] = [moment(first, now, zone), moment(last, now, zone)];
  return from === to ? `first and last ${to}` : `first ${from}, last ${to}`;
}

/** The time of an instant of today, else its day. */
function moment(at: number, now: number, timeZone?: string): string {
  const zone = timeZone === undefined ? {} : { timeZone };
  const day = new Intl.DateTimeFormat('en-GB', { ...zone, day: 'numeric', month: 'short' });
  const time = new Intl.DateTimeFormat('en-GB', { ...zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const near = Math.abs(now - at) < 86_400_000;
  return near && day.format(at) === day.format(now) ? time.format(at) : day.format(at);
}

/** All tasks of the groups, for the tab. */
export function totalOf(groups: readonly ErrorGroup[], exact: boolean): string {
  const sum = groups.reduce((all, group) => all + group.count, 0);
  return `${count(sum)}${!exact || groups.some((group) => group.capped) ? '+' : ''}`;
}
