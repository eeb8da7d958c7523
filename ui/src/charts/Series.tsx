// SPDX-License-Identifier: Apache-2.0
import { useEffect, useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useWidth } from '../parts/useWidth';
import { useTheme } from '../shell/theme';
import css from './Series.module.css';
import { bucketWords, columnsOf, LINES, seriesSentence } from './series';
import type { SeriesData, SeriesWindow } from './series';
import { optionsOf } from './seriesPlot';
import { SeriesTable } from './SeriesTable';
import shared from './Wave.module.css';

const HEIGHT = 200;

interface Props {
  readonly series: SeriesData;
  /** Null while another window is on its way. */
  readonly window: SeriesWindow | null;
}

/** What happened as lines, with a sentence that says the same. */
export default function Series({ series, window }: Props) {
  const [asTable, setAsTable] = useState(false);
  const sentence = window === null ? 'Loading…' : seriesSentence(series, window);
  return (
    <figure className={shared.wave}>
      <figcaption className={shared.caption}>
        <p>{sentence}</p>
        <button type="button" className={shared.switch} onClick={() => setAsTable(!asTable)}>
          {asTable ? 'Show as chart' : 'Show as table'}
        </button>
      </figcaption>
      {asTable ? <SeriesTable series={series} /> : <Plot series={series} sentence={sentence} />}
    </figure>
  );
}

function Plot({ series, sentence }: { readonly series: SeriesData; readonly sentence: string }) {
  const frame = useRef<HTMLDivElement>(null);
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const latest = useRef(series);
  const width = useWidth(frame);
  const [index, setIndex] = useState<number | null>(null);
  const theme = useTheme();

  useEffect(() => {
    const target = place.current;
    if (!target) return undefined;
    const made = new uPlot(optionsOf(target, width, HEIGHT, () => latest.current, setIndex), columnsOf(latest.current), target);
    plot.current = made;
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const redraw = () => made.redraw();
    dark.addEventListener('change', redraw);
    return () => {
      dark.removeEventListener('change', redraw);
      made.destroy();
      plot.current = null;
    };
  }, [width]);
  useEffect(() => {
    latest.current = series;
    plot.current?.setData(columnsOf(series));
  }, [series]);
  useEffect(() => plot.current?.redraw(), [theme]);

  const press = (event: KeyboardEvent) => {
    const last = series.succeeded.length - 1;
    const moved = event.key === 'ArrowLeft' ? Math.max(0, (index ?? last + 1) - 1)
      : event.key === 'ArrowRight' ? Math.min(last, (index ?? -1) + 1)
        : event.key === 'Home' ? 0 : event.key === 'End' ? last : null;
    const chart = plot.current;
    if (moved === null || !chart) return;
    event.preventDefault();
    chart.setCursor({ left: chart.valToPos(chart.data[0][moved] ?? 0, 'x'), top: 10 });
    setIndex(moved);
  };
  return (
    <>
      <div
        ref={frame} className={css.frame} role="group" tabIndex={0} onKeyDown={press}
        onBlur={() => plot.current?.setCursor({ left: -10, top: -10 })} aria-label="What happened. Arrow keys move."
      >
        {/* Where the canvas finds its colours, resolved for the present theme. */}
        <div ref={place} className={css.plot} role="img" aria-label={sentence}>
          {[...LINES, 'muted', 'line', 'text'].map((name) => <i key={name} data-colour={name} className={css[name]} />)}
        </div>
      </div>
      <p className={shared.words} aria-live="polite">{index !== null && index < series.succeeded.length ? bucketWords(series, index) : ''}</p>
    </>
  );
}
