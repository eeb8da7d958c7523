// SPDX-License-Identifier: Apache-2.0
// The state of the page in its address: window, part of it, filters and page.
import type { BulkFilter } from '../../api/actions';
import { STRATEGIES } from '../../api/retries';
import type { Strategy } from '../../api/retries';
import { isWindow } from '../../charts/wave';
import type { Span, WaveWindow } from '../../charts/wave';

export interface RetrySearch {
  readonly window?: WaveWindow;
  readonly from?: string;
  readonly to?: string;
  readonly kind?: string;
  readonly strategy?: Strategy;
  readonly after?: string;
}

/** Keeps what the page understands of its address. */
export function readRetrySearch(raw: Readonly<Record<string, unknown>>): RetrySearch {
  const strategy = STRATEGIES.find((name) => name === raw.strategy);
  const span = spanFrom(raw);
  return {
    ...(isWindow(raw.window) ? { window: raw.window } : {}),
    ...(span ? spanSearch(span) : {}),
    ...(typeof raw.kind === 'string' && raw.kind !== '' ? { kind: raw.kind } : {}),
    ...(strategy ? { strategy } : {}),
    ...(typeof raw.after === 'string' && raw.after !== '' ? { after: raw.after } : {}),
  };
}

/** The part of the window that the address names. */
export function spanFrom({ from, to }: Readonly<Record<string, unknown>> | RetrySearch): Span | null {
  const span = { from: instant(from), to: instant(to) };
  return span.from < span.to ? span : null;
}

function instant(text: unknown): number {
  return typeof text === 'string' ? Date.parse(text) : NaN;
}

export function spanSearch(span: Span): { from: string; to: string } {
  return { from: new Date(span.from).toISOString(), to: new Date(span.to).toISOString() };
}

/**
 * The retries of a part as the filter of a bulk action, whose bounds are both exclusive; instants
 * are whole milliseconds. Null with a strategy, by which no action can choose.
 */
export function spanFilter({ kind, strategy }: RetrySearch, { from, to }: Span): BulkFilter | null {
  if (strategy !== undefined) return null;
  const { from: due_after, to: due_before } = spanSearch({ from: from - 1, to });
  return { status: 'RetryPending', due_after, due_before, ...(kind === undefined ? {} : { kind: `=${kind}` }) };
}

/** Another filter means another list: what chose a page or a part of the old one is left out. */
export function withFilter(search: RetrySearch, changes: Partial<Record<keyof RetrySearch, string | undefined>>): RetrySearch {
  const { after: _, ...kept } = search;
  return readRetrySearch({ ...kept, ...changes });
}

export function withWindow(search: RetrySearch, window: WaveWindow): RetrySearch {
  return withFilter(search, { window, from: undefined, to: undefined });
}
