// SPDX-License-Identifier: Apache-2.0
// What the tabs of the settings say.
import type { ApiKey } from '../../api/settings';
import { count } from '../../parts/when';

const KINDS_SHOWN = 4;

/** "32 of 64", or "32" for a node that has not said how many it has. */
export function slotWords(busy: number, of: number | null): string {
  return of === null ? count(busy) : `${count(busy)} of ${count(of)}`;
}

/** "a, b, c, d and 3 more". */
export function kindList(kinds: readonly string[]): string {
  if (kinds.length === 0) return 'none';
  const rest = kinds.length - KINDS_SHOWN;
  return rest <= 0 ? kinds.join(', ') : `${kinds.slice(0, KINDS_SHOWN).join(', ')} and ${count(rest)} more`;
}

export type KeyState = 'live' | 'revoked' | 'expired';

/** Why a key works or does not. */
export function keyState({ live, revoked_at: revoked, expires_at: expires }: Pick<ApiKey, 'live' | 'revoked_at' | 'expires_at'>, now: number): KeyState {
  if (typeof revoked === 'string') return 'revoked';
  return !live || (typeof expires === 'string' && Date.parse(expires) <= now) ? 'expired' : 'live';
}

export const EXPIRIES = [
  { value: '', word: 'never' }, { value: '1d', word: 'after 1 day' }, { value: '7d', word: 'after 7 days' },
  { value: '30d', word: 'after 30 days' }, { value: '90d', word: 'after 90 days' }, { value: '365d', word: 'after a year' },
] as const;

export type Expiry = (typeof EXPIRIES)[number]['value'];

export const ROLES = [
  { name: 'read', text: 'see everything, including payloads' },
  { name: 'operate', text: 'read, and retry, pause, resume, cancel and redeliver' },
  { name: 'submit', text: 'submit tasks' },
  { name: 'work', text: 'claim tasks and report on them' },
  { name: 'admin', text: 'everything, also schedules, limits and keys' },
] as const;

export type RoleName = (typeof ROLES)[number]['name'];

/** The roles of a key that this page knows. */
export function rolesOf({ roles }: Pick<ApiKey, 'roles'>): RoleName[] {
  return ROLES.map(({ name }) => name).filter((name) => roles.includes(name));
}

/** What is still missing for a key, or null. */
export function missing(name: string, roles: readonly RoleName[], first: boolean): string | null {
  if (name.trim() === '') return 'Give the key a name.';
  if (roles.length === 0) return 'Choose at least one role.';
  return first && !roles.includes('admin') ? 'The first key needs the role admin, since it creates the others.' : null;
}

/** The detail of an audit entry on one line: `reason: "…" · at: "…"`. */
export function detailWords(detail: unknown): string {
  if (detail === null || detail === undefined) return '';
  if (typeof detail !== 'object' || Array.isArray(detail)) return JSON.stringify(detail);
  return Object.entries(detail).filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`).join(' · ');
}
