// SPDX-License-Identifier: Apache-2.0
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { FormEvent } from 'react';
import { find, kinds, taskFacets } from '../api/queries';
import css from './FilterBar.module.css';
import { isTime, LABELS, scalarOf, TEXT_FIELDS } from './filters';
import type { Filters, TextField } from './filters';
import { isState, STATES, stateWord } from './states';
import { useDebounced } from './useDebounced';

interface NewProps {
  readonly filters: Filters;
  readonly onAdd: (filters: Filters) => void;
  readonly onCancel: () => void;
}

type Field = TextField | 'status' | 'metadata';

/** The form for one more filter. */
export function NewFilter({ filters, onAdd, onCancel }: NewProps) {
  const [field, setField] = useState<Field>('status');
  const [name, setName] = useState('');
  const [value, setValue] = useState<string>(STATES[0]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onAdd(withFilter(filters, field, name.trim(), value.trim()));
  };
  const choose = (chosen: Field) => {
    setField(chosen);
    setValue(chosen === 'status' ? STATES[0] : chosen === 'parked' ? 'true' : '');
  };
  return (
    <form className={css.form} onSubmit={submit} onKeyDown={(event) => event.key === 'Escape' && onCancel()}>
      <select aria-label="Field" value={field} onChange={(event) => choose(event.target.value as Field)} autoFocus>
        <option value="status">state</option>
        {TEXT_FIELDS.map((one) => <option key={one} value={one}>{LABELS[one]}</option>)}
        <option value="metadata">metadata</option>
      </select>
      {field === 'metadata' && <input aria-label="Metadata field" placeholder="field" value={name} required onChange={(event) => setName(event.target.value)} />}
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
  readonly field: TextField | 'metadata';
  readonly value: string;
  readonly onChange: (value: string) => void;
}

const UUID = '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';

/** What a value must look like, so that the browser says so before the server does. */
const PATTERNS: Readonly<Partial<Record<TextField | 'metadata', { pattern: string; title: string }>>> = {
  error: { pattern: '[0-9a-f]{16}', title: 'The 16 digits of an error' },
  batch_id: { pattern: UUID, title: 'The id of a batch' },
  schedule_id: { pattern: UUID, title: 'The id of a schedule' },
};

function Value({ field, value, onChange }: ValueProps) {
  const list = useId();
  const options = useCompletion(field, value);
  if (field === 'parked') {
    return (
      <select aria-label="Value" value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="true">yes</option>
        <option value="false">no</option>
      </select>
    );
  }
  const type = field !== 'metadata' && isTime(field) ? 'datetime-local' : field === 'attempt_min' ? 'number' : 'text';
  return (
    <>
      <input aria-label="Value" type={type} min={1} list={list} value={value} required {...PATTERNS[field]} onChange={(event) => onChange(event.target.value)} />
      <datalist id={list}>{options.map((one) => <option key={one.value} value={one.value}>{one.word}</option>)}</datalist>
    </>
  );
}

interface Completion {
  readonly value: string;
  readonly word: string;
}

/** Values that the server knows: all kinds, the errors of the newest tasks, batches and schedules by what is typed. */
function useCompletion(field: TextField | 'metadata', value: string): readonly Completion[] {
  const text = useDebounced(value.trim(), 150);
  const type = field === 'batch_id' ? 'batch' : field === 'schedule_id' ? 'schedule' : null;
  const known = useQuery({ ...kinds(''), enabled: field === 'kind' }).data;
  const errors = useQuery({ ...taskFacets({}), enabled: field === 'error' }).data?.error;
  const found = useQuery({ ...find(text), enabled: type !== null && text !== '' }).data;
  if (field === 'kind') return (known ?? []).map((kind) => ({ value: `=${kind}`, word: kind }));
  if (field === 'error') return (errors ?? []).map((one) => ({ value: one.value, word: one.title ?? one.value }));
  return (found ?? []).filter((one) => one.type === type).map((one) => ({ value: one.id, word: one.title ?? one.id }));
}

/** What people fill in as the API wants it: an instant with its zone, attempts from 0. */
function apiValue(field: TextField, value: string): string {
  if (isTime(field)) return new Date(value).toISOString();
  return field === 'attempt_min' ? String(Math.max(0, Number(value) - 1)) : value;
}

function withFilter(filters: Filters, field: Field, name: string, value: string): Filters {
  if (field === 'metadata') return { ...filters, metadata: { ...filters.metadata, [name]: metadataOf(value) } };
  if (field !== 'status') return { ...filters, fields: { ...filters.fields, [field]: apiValue(field, value) } };
  return isState(value) ? { ...filters, status: [...new Set([...filters.status, value])] } : filters;
}

/** true, false and numbers are not text, unless they are quoted. */
function metadataOf(value: string): string | number | boolean {
  const quoted = /^"(.*)"$/.exec(value)?.[1];
  return scalarOf(quoted ?? value, quoted !== undefined);
}
