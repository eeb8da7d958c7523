// SPDX-License-Identifier: Apache-2.0
// A limit as the fields of a form, and as the rule of the API.
import type { Rule } from '../../api/batches';

export interface RuleForm {
  readonly type: 'none' | 'Concurrency' | 'Capacity' | 'Rate';
  readonly max: string;
  readonly per: string;
  /** Metadata fields, with commas. */
  readonly fields: string;
}

export const EMPTY_RULE: RuleForm = { type: 'none', max: '', per: '1s', fields: '' };

const MOST = 1_000_000_000;

/** The rules to send; null while the form is not complete. */
export function rulesOf({ type, max, per, fields }: RuleForm): Rule[] | null {
  if (type === 'none') return [];
  const number = /^\d{1,10}$/.test(max.trim()) ? Number(max) : 0;
  if (number < 1 || number > MOST || (type === 'Rate' && per.trim() === '')) return null;
  const names = fields.split(',').map((name) => name.trim()).filter((name) => name !== '');
  const matcher = names.length === 0 ? {} : { matcher: { fields: names } };
  if (type === 'Concurrency') return [{ type, max_concurrency: number, ...matcher }] as Rule[];
  if (type === 'Capacity') return [{ type, max_capacity: number, ...matcher }] as Rule[];
  return [{ type, max_starts: number, per: per.trim(), ...matcher }] as Rule[];
}
