// SPDX-License-Identifier: Apache-2.0
import css from './Field.module.css';

interface Props<T extends string> {
  readonly label: string;
  /** Hides the label from the eye, where the place already says what it is. */
  readonly quiet?: boolean;
  readonly value: T;
  readonly options: readonly { readonly value: T; readonly word: string }[];
  readonly disabled?: boolean;
  readonly onChange: (value: T) => void;
}

/** A choice among few. The browser's own list: it works with every keyboard, phone and screen reader. */
export function Select<T extends string>({ label, quiet = false, value, options, disabled = false, onChange }: Props<T>) {
  return (
    <label className={css.inline}>
      <span className={quiet ? css.hidden : css.label}>{label}</span>
      <select
        className={css.select} value={value} disabled={disabled}
        onChange={(event) => {
          const chosen = options.find((option) => option.value === event.target.value);
          if (chosen) onChange(chosen.value);
        }}
      >
        {options.map((option) => <option key={option.value} value={option.value}>{option.word}</option>)}
      </select>
    </label>
  );
}
