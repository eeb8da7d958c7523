// SPDX-License-Identifier: Apache-2.0
import { useId } from 'react';
import css from './Field.module.css';

interface Props<T extends string> {
  readonly label: string;
  readonly quiet?: boolean;
  readonly value: T;
  readonly options: readonly { readonly value: T; readonly word: string }[];
  readonly onChange: (value: T) => void;
}

/** One of a few, all in sight: radio buttons that look like a row of buttons. */
export function Choice<T extends string>({ label, quiet = false, value, options, onChange }: Props<T>) {
  const name = useId();
  return (
    <fieldset className={css.choice}>
      <legend className={quiet ? css.hidden : css.label}>{label}</legend>
      <span className={css.segments}>
        {options.map((option) => (
          <label key={option.value} className={css.segment}>
            <input
              type="radio" name={name} value={option.value} checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            {option.word}
          </label>
        ))}
      </span>
    </fieldset>
  );
}
