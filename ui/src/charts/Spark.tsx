// SPDX-License-Identifier: Apache-2.0
import { useRef } from 'react';
import { useWidth } from '../parts/useWidth';
import css from './Spark.module.css';

interface Props {
  readonly values: readonly number[];
  /** What the line shows, as a sentence. */
  readonly label: string;
  /** The top of the scale; the largest value if it is missing. */
  readonly top?: number;
  /** A value to mark with a dashed line. */
  readonly mark?: number;
  /** A part to shade, as indexes of values. */
  readonly shade?: readonly [number, number];
  readonly height?: number;
}

/** A small line without axes. */
export function Spark({ values, label, top, mark, shade, height = 48 }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame, 240);
  const most = Math.max(1, top ?? Math.max(...values));
  const x = (i: number) => (i * width) / Math.max(1, values.length - 1);
  const y = (value: number) => height - 1 - (Math.min(value, most) / most) * (height - 2);
  return (
    <div ref={frame} className={css.frame}>
      <svg width={width} height={height} role="img" aria-label={label}>
        {shade && <rect className={css.shade} x={x(shade[0])} y={0} width={Math.max(1, x(shade[1]) - x(shade[0]))} height={height} />}
        {mark !== undefined && <line className={css.mark} x1={0} x2={width} y1={y(mark)} y2={y(mark)} />}
        <polyline className={css.line} points={values.map((value, i) => `${x(i).toFixed(1)},${y(value).toFixed(1)}`).join(' ')} />
      </svg>
    </div>
  );
}
