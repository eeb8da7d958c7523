// SPDX-License-Identifier: Apache-2.0
import type { ReactNode } from 'react';
import fields from '../parts/Field.module.css';
import css from './PolicyForm.module.css';

interface RowProps {
  readonly label: string;
  readonly errors: readonly string[];
  readonly children: ReactNode;
}

export function Row({ label, errors, children }: RowProps) {
  return (
    <div className={css.row}>
      <p className={css.label}>{label}</p>
      <div className={css.value}>
        {children}
        {errors.map((message) => <p key={message} className={`${fields.error} ${css.wide}`} role="alert">{message}</p>)}
      </div>
    </div>
  );
}

interface TextProps {
  readonly label: string;
  readonly value: string;
  readonly placeholder?: string;
  readonly disabled?: boolean;
  readonly onChange: (value: string) => void;
}

export function Text({ label, value, placeholder, disabled = false, onChange }: TextProps) {
  return (
    <input
      className={css.text} aria-label={label} value={value} placeholder={placeholder} disabled={disabled}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
