// SPDX-License-Identifier: Apache-2.0
// The state of the page in its address: the window and the kind of what happened, and the window of what comes.
import { isSeriesWindow } from '../../charts/series';
import type { SeriesWindow } from '../../charts/series';
import { isWindow } from '../../charts/wave';
import type { WaveWindow } from '../../charts/wave';

export interface OverviewSearch {
  readonly window?: SeriesWindow;
  readonly kind?: string;
  readonly comes?: WaveWindow;
}

/** Keeps what the page understands of its address. */
export function readOverviewSearch(raw: Readonly<Record<string, unknown>>): OverviewSearch {
  return {
    ...(isSeriesWindow(raw.window) ? { window: raw.window } : {}),
    ...(typeof raw.kind === 'string' && raw.kind !== '' ? { kind: raw.kind } : {}),
    ...(isWindow(raw.comes) ? { comes: raw.comes } : {}),
  };
}
