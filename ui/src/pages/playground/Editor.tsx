// SPDX-License-Identifier: Apache-2.0
import type { FieldError } from '../../api/problem';
import { formatJson } from '../../api/json';
import { isFormPolicy, isObject, parsePolicy } from '../../policy/form';
import { PolicyForm } from '../../policy/PolicyForm';
import css from './Playground.module.css';

interface Props {
  readonly text: string;
  readonly view: 'form' | 'json';
  readonly errors: readonly FieldError[];
  /** The same policy in the form that the editor knows, if the server has told it. */
  readonly canonical: unknown;
  readonly onChange: (text: string) => void;
}

/** The policy as a form or as text. */
export function Editor({ text, view, errors, canonical, onChange }: Props) {
  const { value, error } = parsePolicy(text);
  const fits = isFormPolicy(value);
  return (
    <section className={css.panel} aria-label="Policy">
      {view === 'form' && fits && <PolicyForm text={text} policy={value} errors={errors} onChange={onChange} />}
      {view === 'form' && !fits && (
        <p className={css.note}>
          {error === null ? 'The form cannot show this dialect. Edit it as JSON.' : 'The text is not JSON yet.'}
          {error === null && isObject(canonical) && (
            <button type="button" onClick={() => onChange(formatJson(canonical))}>Use the canonical form</button>
          )}
        </p>
      )}
      {(view === 'json' || !fits) && (
        <textarea
          className={css.text} aria-label="Policy as JSON" spellCheck={false} rows={Math.min(28, Math.max(12, text.split('\n').length + 1))}
          value={text} onChange={(event) => onChange(event.target.value)}
        />
      )}
      {error !== null && <p className={css.error} role="alert">{error}</p>}
      {(view === 'json' || !fits) && error === null && <Errors errors={errors} />}
      {view === 'form' && fits && <Errors errors={errors.filter(({ path }) => !known(path))} />}
    </section>
  );
}

/** Whether the form shows the error beside its field. */
function known(path: string): boolean {
  return /^policy\.(max_retries|max_delay|expires_after|overrides|jitter(\.factor)?|retry_on|never_on|retry_after(\.cap)?|backoff(\.(type|delay|initial|increment|multiplier|delays|steps))?)(\[|$|\.)/.test(path)
    && !/^policy\.backoff\.steps\[/.test(path);
}

function Errors({ errors }: { readonly errors: readonly FieldError[] }) {
  if (errors.length === 0) return null;
  return (
    <ul className={css.errors} aria-label="Errors">
      {errors.map(({ path, message }) => (
        <li key={path + message}><code>{path.replace(/^policy\.?/, '') || 'policy'}</code> {message}</li>
      ))}
    </ul>
  );
}
