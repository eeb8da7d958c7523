// SPDX-License-Identifier: Apache-2.0
import { count } from '../parts/when';
import { clock, totalsOf } from './wave';
import type { Bar, WaveData } from './wave';
import css from './Wave.module.css';

/** The bars that hold something, as a table. */
export function WaveTable({ wave, bars }: { readonly wave: WaveData; readonly bars: readonly Bar[] }) {
  const kinds = totalsOf(wave);
  return (
    <div className={css.scroll} role="region" aria-label="Retries to come" tabIndex={0}>
      <table className={css.table}>
        <thead>
          <tr>
            <th scope="col">From</th>
            <th scope="col">Retries</th>
            {kinds.map(({ kind }) => <th key={kind} scope="col">{kind === '' ? 'other kinds' : kind}</th>)}
          </tr>
        </thead>
        <tbody>
          {wave.overdue > 0 && (
            <tr><th scope="row">due now</th><td>{count(wave.overdue)}</td>{kinds.map(({ kind }) => <td key={kind} />)}</tr>
          )}
          {bars.filter((bar) => bar.count > 0).map((bar) => (
            <tr key={bar.from}>
              <th scope="row">{clock(bar.from, wave.step_ms)}</th>
              <td>{count(bar.count)}</td>
              {kinds.map(({ kind }) => <td key={kind}>{count(bar.parts.find((part) => part.kind === kind)?.count ?? 0)}</td>)}
            </tr>
          ))}
          {wave.later > 0 && (
            <tr><th scope="row">later</th><td>{count(wave.later)}</td>{kinds.map(({ kind }) => <td key={kind} />)}</tr>
          )}
        </tbody>
      </table>
    </div>
  );
}
