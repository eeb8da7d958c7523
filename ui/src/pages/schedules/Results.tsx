// SPDX-License-Identifier: Apache-2.0
import { partWords, stateParts } from '../../parts/stateParts';
import { isState } from '../../parts/states';
import type { State } from '../../parts/states';
import css from './Results.module.css';

const WIDTH = 6;
const HEIGHT = 16;

/** How the last firings went, the newest at the right: what failed stands out by its height too. */
export function Results({ states }: { readonly states: readonly (string | null)[] }) {
  return (
    <p className={css.results}>
      <svg width={states.length * WIDTH} height={HEIGHT} role="img" aria-label={resultWords(states)}>
        {states.map((state, i) => {
          const height = state === 'Failure' ? HEIGHT : state === 'Success' ? HEIGHT / 4 : HEIGHT / 2;
          return <rect key={i} className={state === null ? css.none : css[state]} x={i * WIDTH} y={HEIGHT - height} width={WIDTH - 1} height={height} />;
        })}
      </svg>
      <span>last {states.length} runs</span>
    </p>
  );
}

/** "Last 30 runs: 28 succeeded, 2 failed". */
export function resultWords(states: readonly (string | null)[]): string {
  const counts = new Map<State, number>();
  for (const state of states) if (state !== null && isState(state)) counts.set(state, (counts.get(state) ?? 0) + 1);
  return `Last ${states.length} runs: ${stateParts(counts).map(partWords).join(', ')}`;
}
