// SPDX-License-Identifier: Apache-2.0
import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { useKeys } from '../shell/useKeys';
import css from './FilterBar.module.css';
import { chipsOf, NO_FILTERS } from './filters';
import type { Filters } from './filters';
import { NewFilter } from './NewFilter';

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
