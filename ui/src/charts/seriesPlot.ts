// SPDX-License-Identifier: Apache-2.0
// How uPlot draws what happened. Colours are read at each drawing, so that a new theme needs only a redraw.
import type uPlot from 'uplot';
import { isolated, lastOf, LINES, seriesTicks, spread, tickWords, topOfSeries } from './series';
import type { SeriesData } from './series';
import { count } from '../parts/when';

/** Told apart by style too: a line, dashes, dots. */
const DASHES = { succeeded: [], failed: [7, 4], retried: [2, 3] } as const;
/** What still grows. */
const GROWING = [3, 5];
const LABELS = 74;
const FONT = '12px system-ui, sans-serif';
const LINE_HEIGHT = 14;
const TICK_WIDTH = 76;

/** A canvas knows no custom properties, but an element of the page can be asked for its colour. */
function colours(place: Element): (name: string) => string {
  return (name) => getComputedStyle(place.querySelector(`[data-colour="${name}"]`) ?? place).color;
}

function faint(colour: string): string {
  return colour.replace(/^rgb\((\d+), (\d+), (\d+)\)$/, 'rgba($1, $2, $3, 0.12)');
}

export function optionsOf(
  place: Element, width: number, height: number, data: () => SeriesData, onMove: (index: number | null) => void,
): uPlot.Options {
  const colour = colours(place);
  const complete = LINES.map((line): uPlot.Series => ({
    stroke: () => colour(line), width: 2, dash: [...DASHES[line]],
    ...(line === 'succeeded' ? { fill: () => faint(colour(line)) } : {}),
    points: { show: true, size: 5, filter: () => isolated(data()[line]), stroke: () => colour(line), fill: () => colour(line) },
  }));
  const growing = LINES.map((line): uPlot.Series => ({ stroke: () => colour(line), width: 1.5, dash: GROWING, points: { show: false } }));
  const ticks = (u: uPlot) => {
    const room = u.bbox.width / devicePixelRatio;
    const end = u.data[0].at(-1) ?? 0;
    const clear = ((end - (u.data[0][0] ?? 0)) * TICK_WIDTH) / 3 / Math.max(1, room);
    // None so near to the end that it would touch the word "now".
    return seriesTicks(data(), Math.max(2, Math.floor(room / TICK_WIDTH))).map((at) => at / 1_000).filter((at) => at < end - clear);
  };
  const lines = { stroke: () => colour('line'), width: 1 };
  return {
    width, height, legend: { show: false }, padding: [10, LABELS, 0, 0],
    scales: {
      x: { time: true, range: (u) => [u.data[0][0] ?? 0, u.data[0].at(-1) ?? 1] },
      y: { range: (_, __, most) => [0, topOfSeries(most ?? 0)] },
    },
    axes: [
      {
        font: FONT, stroke: () => colour('muted'), size: 28, gap: 6, grid: { show: false }, ticks: { ...lines, size: 4 },
        splits: ticks, values: (_, splits) => splits.map((at) => tickWords(at * 1_000, data().step_ms)),
      },
      {
        font: FONT, stroke: () => colour('muted'), size: (_, values) => 14 + 7 * Math.max(1, ...(values ?? []).map((text) => text.length)),
        gap: 4, grid: lines, ticks: { show: false },
        splits: (_, __, least, most) => [least, most / 2, most], values: (_, splits) => splits.map((value) => count(value)),
      },
    ],
    series: [{}, ...complete, ...growing],
    cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
    hooks: {
      draw: [(u) => drawEnds(u, data(), colour)],
      setCursor: [(u) => onMove(u.cursor.left === undefined || u.cursor.left < 0 ? null : u.cursor.idx ?? null)],
    },
  };
}

/** The line of now, and the name of each line at its right end. */
function drawEnds(u: uPlot, data: SeriesData, colour: (name: string) => string): void {
  const { ctx, bbox } = u;
  const ratio = devicePixelRatio;
  const right = bbox.left + bbox.width;
  const bottom = bbox.top + bbox.height;
  ctx.save();
  ctx.strokeStyle = colour('text');
  ctx.lineWidth = ratio;
  ctx.setLineDash([]);
  ctx.beginPath();
  ctx.moveTo(right, bbox.top);
  ctx.lineTo(right, bottom + 4 * ratio);
  ctx.stroke();
  ctx.font = FONT.replace('12px', `${12 * ratio}px`);
  ctx.textBaseline = 'top';
  ctx.textAlign = 'left';
  ctx.fillStyle = colour('muted');
  ctx.fillText('now', right + 4 * ratio, bottom + 8 * ratio);
  const shown = LINES.filter((line) => lastOf(data[line]) !== null);
  const wanted = shown.map((line) => u.valToPos(lastOf(data[line]) ?? 0, 'y', true));
  const places = spread(wanted, LINE_HEIGHT * ratio, bottom - 4 * ratio);
  ctx.textBaseline = 'middle';
  shown.forEach((line, i) => {
    ctx.fillStyle = colour(line);
    ctx.fillText(line, right + 6 * ratio, places[i] ?? 0);
  });
  ctx.restore();
}
