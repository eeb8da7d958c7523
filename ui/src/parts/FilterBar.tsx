// SPDX-License-Identifier: Apache-2.0
import { useQuery } from '@tanstack/react-query';
import { Plus, X } from 'lucide-react';
import { useId, useState } from 'react';
import type { FormEvent } from 'react';
import { kinds } from '../api/queries';
import { useKeys } from '../shell/useKeys';
import css from './FilterBar.module.css';
import { chipsOf, isTime, LABELS, NO_FILTERS, TEXT_FIELDS } from './filters';
import type { Filters, TextField } from './filters';
import { isState, STATES, stateWord } from './states';

interface Props {
  readonly filters: Filters;
  readonly onChange: (filters: Filters) => void;
}

/** The filters in force as chips, and a form for one more. */
export function FilterBar({ filters, onChange }: Props) {
  const [adding, setAdding] = useState(false);
  const chips = chipsOf(filters);
  useKeys([{ key: 'f', words: 'Add a filter', run: () => setAdding(true) }]);
  return (
    <div className={css.bar} role="group" aria-label="Filters">
      {chips.map(({ key, label, value, without }) => (
        <span key={key} className={css.chip}>
          <span className={css.text} title={value}>{label}: <bdi>{value}</bdi></span>
          <button type="button" className={css.remove} onClick={() => onChange(without)} aria-label={`Remove filter ${label}: ${value}`}>
            <X size={14} strokeWidth={1.75} aria-hidden="true" />
          </button>
        </span>
      ))}
      {adding
        ? <NewFilter filters={filters} onAdd={(next) => { setAdding(false); onChange(next); }} onCancel={() => setAdding(false)} />
        : (
          <button type="button" className={css.add} onClick={() => setAdding(true)}>
            <Plus size={14} strokeWidth={1.75} aria-hidden="true" /> Filter
          </button>
        )}
      {chips.length > 1 && <button type="button" className={css.clear} onClick={() => onChange(NO_FILTERS)}>Clear</button>}
    </div>
  );
}

interface NewProps {
  readonly filters: Filters;
  readonly onAdd: (filters: Filters) => void;
  readonly onCancel: () => void;
}

function NewFilter({ filters, onAdd, onCancel }: NewProps) {
  const [field, setField] = useState<TextField | 'status'>('status');
  const [value, setValue] = useState<string>(STATES[0]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onAdd(withFilter(filters, field, value.trim()));
  };
  const choose = (name: string) => {
    const chosen = TEXT_FIELDS.find((candidate) => candidate === name) ?? 'status';
    setField(chosen);
    setValue(chosen === 'status' ? STATES[0] : chosen === 'parked' ? 'true' : '');
  };
  return (
    <form className={css.form} onSubmit={submit} onKeyDown={(event) => event.key === 'Escape' && onCancel()}>
      <select aria-label="Field" value={field} onChange={(event) => choose(event.target.value)} autoFocus>
        <option value="status">state</option>
        {TEXT_FIELDS.map((name) => <option key={name} value={name}>{LABELS[name]}</option>)}
      </select>
      {field === 'status'
        ? (
          <select aria-label="Value" value={value} onChange={(event) => setValue(event.target.value)}>
            {STATES.map((state) => <option key={state} value={state}>{stateWord(state)}</option>)}
          </select>
        )
        : <Value field={field} value={value} onChange={setValue} />}
      <button type="submit">Add</button>
      <button type="button" onClick={onCancel}>Cancel</button>
    </form>
  );
}

interface ValueProps {
  readonly field: TextField;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function Value({ field, value, onChange }: ValueProps) {
  const list = useId();
  const known = useQuery({ ...kinds(''), enabled: field === 'kind' });
  if (field === 'parked') {
    return (
      <select aria-label="Value" value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="true">yes</option>
        <option value="false">no</option>
      </select>
    );
  }
  const type = isTime(field) ? 'datetime-local' : field === 'attempt_min' ? 'number' : 'text';
  const pattern = field === 'error' ? { pattern: '[0-9a-f]{16}', title: 'The 16 digits of an error' } : {};
  return (
    <>
      <input aria-label="Value" type={type} min={1} list={list} value={value} required {...pattern} onChange={(event) => onChange(event.target.value)} />
      {field === 'kind' && <datalist id={list}>{known.data?.map((kind) => <option key={kind} value={`=${kind}`}>{kind}</option>)}</datalist>}
    </>
  );
}

/** What people fill in as the API wants it: an instant with its zone, attempts from 0. */
function apiValue(field: TextField, value: string): string {
  if (isTime(field)) return new Date(value).toISOString();
  return field === 'attempt_min' ? String(Math.max(0, Number(value) - 1)) : value;
}

function withFilter(filters: Filters, field: TextField | 'status', value: string): Filters {
  if (field !== 'status') return { ...filters, fields: { ...filters.fields, [field]: apiValue(field, value) } };
  return isState(value) ? { ...filters, status: [...new Set([...filters.status, value])] } : filters;
}
