// SPDX-License-Identifier: Apache-2.0
import { CircleCheck, TriangleAlert } from 'lucide-react';
import type { LintAnswer } from '../../api/policies';
import { fixOf, withFix } from '../../policy/fix';
import css from './Playground.module.css';

interface Props {
  readonly answer: LintAnswer;
  readonly text: string;
  readonly onFix: (text: string) => void;
}

/** Warnings about the policy, each with what to do about it. */
export function Lint({ answer, text, onFix }: Props) {
  return (
    <section className={css.lint} aria-label="Warnings">
      {answer.warnings.length === 0 && (
        <p className={css.fine}><CircleCheck size={16} strokeWidth={1.75} aria-hidden="true" /> No warnings.</p>
      )}
      <ul className={css.warnings}>
        {answer.warnings.map((warning) => {
          const fixed = withFix(text, warning, answer);
          return (
            <li key={warning.id + warning.path}>
              <TriangleAlert size={16} strokeWidth={1.75} aria-hidden="true" />
              <div>
                <p>{sentence(warning.message)}</p>
                <p className={css.muted}>{sentence(warning.fix)}</p>
              </div>
              {fixed !== null && <button type="button" onClick={() => onFix(fixed)}>Use {fixOf(warning)?.words.replaceAll('"', '')}</button>}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?…]$/.test(text) ? '' : '.'}`;
}
