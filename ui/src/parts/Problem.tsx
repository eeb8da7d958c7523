// SPDX-License-Identifier: Apache-2.0
import { TriangleAlert } from 'lucide-react';
import { problemWords } from './problemWords';
import css from './Notice.module.css';

interface Props {
  readonly error: unknown;
  readonly onRetry?: () => void;
}

/** Says what went wrong, what it means, and what to try. */
export function Problem({ error, onRetry }: Props) {
  const { title, detail } = problemWords(error);
  return (
    <div className={`${css.notice} ${css.problem}`} role="alert">
      <p className={css.title}>
        <TriangleAlert size={16} strokeWidth={1.75} aria-hidden="true" /> {title}
      </p>
      {detail !== '' && <p>{detail}</p>}
      {onRetry && <button type="button" onClick={onRetry}>Try now</button>}
    </div>
  );
}
