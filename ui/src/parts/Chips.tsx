// SPDX-License-Identifier: Apache-2.0
import { X } from 'lucide-react';
import { useState } from 'react';
import type { KeyboardEvent } from 'react';
import css from './Chips.module.css';

interface Props {
  readonly label: string;
  /** Hides the label from the eye, where the place already says what it is. */
  readonly quiet?: boolean;
  /** Whether a word can be there only once. */
  readonly distinct?: boolean;
  readonly values: readonly string[];
  readonly placeholder?: string;
  readonly disabled?: boolean;
  readonly onChange: (values: readonly string[]) => void;
}

/** A list of words. Enter, a comma or leaving the field adds one; Backspace in the empty field removes the last. */
export function Chips({ label, quiet = false, distinct = true, values, placeholder = 'add', disabled = false, onChange }: Props) {
  const [text, setText] = useState('');
  const add = () => {
    const words = text.split(',').map((word) => word.trim()).filter((word) => word !== '');
    if (words.length > 0) onChange(distinct ? [...new Set([...values, ...words])] : [...values, ...words]);
    setText('');
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter' || event.key === ',') {
      event.preventDefault();
      add();
    } else if (event.key === 'Backspace' && text === '') onChange(values.slice(0, -1));
  };
  return (
    <div className={css.chips} role="group" aria-label={label}>
      {!quiet && <span className={css.label} aria-hidden="true">{label}</span>}
      {values.map((value, i) => (
        <span key={`${value} ${i}`} className={css.chip}>
          <bdi className={css.text} title={value}>{value}</bdi>
          <button
            type="button" className={css.remove} disabled={disabled} aria-label={`Remove ${value}`}
            onClick={() => onChange(values.toSpliced(i, 1))}
          >
            <X size={14} strokeWidth={1.75} aria-hidden="true" />
          </button>
        </span>
      ))}
      <input
        className={css.input} aria-label={`Add to ${label}`} placeholder={placeholder} value={text} disabled={disabled}
        onChange={(event) => setText(event.target.value)} onKeyDown={press} onBlur={add}
      />
    </div>
  );
}
