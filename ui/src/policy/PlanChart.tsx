// SPDX-License-Identifier: Apache-2.0
import { useRef, useState } from 'react';
import { duration } from '../parts/when';
import { useWidth } from '../parts/useWidth';
import buttons from '../parts/Button.module.css';
import { axisOf, MOST_ROWS } from './plan';
import type { PlanRow } from './plan';
import css from './PlanChart.module.css';

const ROW = 18;
const LEFT = 28;
const AXIS = 20;

interface Props {
  readonly rows: readonly PlanRow[];
  /** Another plan to compare with, drawn behind. */
  readonly pinned?: readonly PlanRow[] | null;
  readonly label: string;
}

/** Each retry as a bar from its earliest to its latest instant, with a mark where it is expected. */
export function PlanChart({ rows, pinned = null, label }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame, 480);
  const [asTable, setAsTable] = useState(false);
  const shown = rows.slice(0, MOST_ROWS);
  const behind = (pinned ?? []).slice(0, MOST_ROWS);
  const end = Math.max(1, ...shown.map((row) => row.max), ...behind.map((row) => row.max));
  const height = Math.max(shown.length, behind.length) * ROW;
  const x = (ms: number) => LEFT + (ms / end) * (width - LEFT - 12);
  if (height === 0) return null;
  return (
    <div className={css.plan}>
      {asTable ? <PlanTable rows={rows} /> : (
        <div ref={frame} className={css.frame}>
          <svg width={width} height={height + AXIS} role="img" aria-label={label}>
            {axisOf(end, Math.floor(width / 100)).map((at) => (
              <g key={at}>
                <line className={css.grid} x1={x(at)} x2={x(at)} y1={0} y2={height} />
                <text className={css.tick} x={x(at)} y={height + 15} textAnchor={at === 0 ? 'start' : x(at) > width - 40 ? 'end' : 'middle'}>{at === 0 ? '0' : duration(at)}</text>
              </g>
            ))}
            {behind.map((row, i) => <rect key={row.retry} className={css.pinned} x={x(row.min)} y={i * ROW + 1} width={Math.max(2, x(row.max) - x(row.min))} height={ROW - 2} />)}
            {shown.map((row, i) => (
              <g key={row.retry}>
                <title>{rowWords(row)}</title>
                <text className={css.tick} x={LEFT - 8} y={i * ROW + 13} textAnchor="end">{row.retry}</text>
                <rect className={css.range} x={x(row.min)} y={i * ROW + 4} width={Math.max(2, x(row.max) - x(row.min))} height={ROW - 8} rx={2} />
                <rect className={css.expected} x={x(row.expected) - 1.5} y={i * ROW + 3} width={3} height={ROW - 6} />
              </g>
            ))}
          </svg>
        </div>
      )}
      <p className={css.foot}>
        {rows.length > shown.length && !asTable && <span>{rows.length - shown.length} more are planned.</span>}
        {behind.length > 0 && <span><span className={css.swatch} aria-hidden="true" /> pinned plan</span>}
        <button type="button" className={buttons.quiet} onClick={() => setAsTable(!asTable)}>{asTable ? 'Show as chart' : 'Show as table'}</button>
      </p>
    </div>
  );
}

function rowWords({ retry, min, expected, max }: PlanRow): string {
  return min === max ? `Retry ${retry}: after ${duration(min)}` : `Retry ${retry}: after ${duration(min)} to ${duration(max)}, about ${duration(expected)}`;
}

function PlanTable({ rows }: { readonly rows: readonly PlanRow[] }) {
  return (
    <div className={css.scroll} role="region" aria-label="Plan" tabIndex={0}>
      <table className={css.table}>
        <thead><tr><th scope="col">Retry</th><th scope="col">Earliest</th><th scope="col">Expected</th><th scope="col">Latest</th></tr></thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.retry}>
              <th scope="row">{row.retry}</th><td>{duration(row.min)}</td><td>{duration(row.expected)}</td><td>{duration(row.max)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
