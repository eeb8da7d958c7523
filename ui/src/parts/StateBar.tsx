// SPDX-License-Identifier: Apache-2.0
import css from './StateBar.module.css';
import { partWords } from './stateParts';
import type { StatePart } from './stateParts';

const LEAST = 0.8;

/** A bar with a piece for each state, wide enough to be seen. Its name says the same in words. */
export function StateBar({ parts }: { readonly parts: readonly StatePart[] }) {
  const total = parts.reduce((sum, part) => sum + part.count, 0);
  const free = 100 - LEAST * parts.length;
  let x = 0;
  return (
    <svg className={css.bar} role="img" aria-label={parts.map(partWords).join(', ')} preserveAspectRatio="none">
      {parts.map((part) => {
        const width = LEAST + (free * part.count) / total;
        const at = x;
        x += width;
        return (
          <rect key={part.state} className={css[part.state]} x={`${at}%`} width={`${width}%`} height="100%">
            <title>{partWords(part)}</title>
          </rect>
        );
      })}
    </svg>
  );
}
