// SPDX-License-Identifier: Apache-2.0
import { useState } from 'react';
import { changeRules } from '../../api/batches';
import type { BatchDetails } from '../../api/batches';
import { count } from '../../parts/when';
import { Ask } from './Ask';
import css from './Ask.module.css';
import { EMPTY_RULE, rulesOf } from './rule';
import type { RuleForm } from './rule';

interface Props {
  readonly batch: BatchDetails;
  readonly onDone: (words: string) => void;
}

const TYPES: readonly (readonly [RuleForm['type'], string])[] = [
  ['none', 'no limit'], ['Concurrency', 'running at a time'], ['Rate', 'starts in a period'], ['Capacity', 'items at a time'],
];

export function Limits({ batch, onDone }: Props) {
  const [kind, setKind] = useState(batch.kinds[0] ?? '');
  const [form, setForm] = useState<RuleForm>(EMPTY_RULE);
  const set = (changes: Partial<RuleForm>) => setForm({ ...form, ...changes });
  const rules = rulesOf(form);
  const run = async () => {
    const { updated_count: number } = await changeRules(batch.batch_id, kind, rules ?? []);
    return `${count(number)} live ${number === 1 ? 'task' : 'tasks'} of ${kind} ${number === 1 ? 'has' : 'have'} the new limit.`;
  };
  return (
    <Ask
      trigger="Limits…" title="Limits of this batch" action={form.type === 'none' ? 'Remove the limits' : 'Set the limit'}
      run={rules === null || kind === '' ? null : run} onDone={onDone}
    >
      <p>Replaces the limits of the live tasks of one kind in this batch. Tasks that run are not interrupted.</p>
      <div className={css.fields}>
        <label htmlFor="limit-kind">Kind</label>
        <select id="limit-kind" value={kind} onChange={(event) => setKind(event.target.value)}>
          {batch.kinds.map((name) => <option key={name} value={name}>{name}</option>)}
        </select>
        <label htmlFor="limit-type">At most</label>
        <select id="limit-type" value={form.type} onChange={(event) => set({ type: event.target.value as RuleForm['type'] })}>
          {TYPES.map(([type, words]) => <option key={type} value={type}>{words}</option>)}
        </select>
        {form.type !== 'none' && (
          <>
            <label htmlFor="limit-max">How many</label>
            <input id="limit-max" inputMode="numeric" value={form.max} onChange={(event) => set({ max: event.target.value })} />
          </>
        )}
        {form.type === 'Rate' && (
          <>
            <label htmlFor="limit-per">In each</label>
            <input id="limit-per" placeholder="1s, 5m, 1h" value={form.per} onChange={(event) => set({ per: event.target.value })} />
          </>
        )}
        {form.type !== 'none' && (
          <>
            <label htmlFor="limit-fields">For each</label>
            <input
              id="limit-fields" placeholder="metadata fields, such as tenant (optional)" value={form.fields}
              onChange={(event) => set({ fields: event.target.value })}
            />
          </>
        )}
      </div>
    </Ask>
  );
}
