// SPDX-License-Identifier: Apache-2.0
import { count } from '../parts/when';
import { LINES, timesOf } from './series';
import type { SeriesData } from './series';
import { clock } from './wave';
import css from './Wave.module.css';

/** What happened as a table, the newest first. */
export function SeriesTable({ series }: { readonly series: SeriesData }) {
  const rows = timesOf(series).map((at, i) => ({ at, values: LINES.map((line) => series[line][i] ?? null) })).reverse();
  return (
    <div className={css.scroll} role="region" aria-label="What happened" tabIndex={0}>
      <table className={css.table}>
        <thead>
          <tr><th scope="col">From</th>{LINES.map((line) => <th key={line} scope="col">{line}</th>)}</tr>
        </thead>
        <tbody>
          {rows.map(({ at, values }, row) => (
            <tr key={at}>
              <th scope="row">{clock(at, series.step_ms)}{row === 0 && series.forming && ' (so far)'}</th>
              {values.every((value) => value === null)
                ? <td colSpan={LINES.length}>no node ran</td>
                : values.map((value, i) => <td key={LINES[i]}>{count(value ?? 0)}</td>)}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
