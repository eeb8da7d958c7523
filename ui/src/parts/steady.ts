// SPDX-License-Identifier: Apache-2.0
// Keeps the rows that somebody is reading where they are while fresh answers arrive.

export interface Steady<T> {
  readonly rows: readonly { readonly row: T; readonly gone: boolean }[];
  /** Rows of the fresh answer that are not shown yet. */
  readonly unseen: number;
}

/**
 * Rows already shown stay in their order, with fresh contents. A row that is missing although a
 * later one is still there no longer matches: it is gone. Rows missing at the end were pushed to
 * the next page. Fresh rows above a shown one are counted, not shown.
 */
export function steady<T extends { readonly id: string }>(shown: readonly T[], fresh: readonly T[]): Steady<T> {
  const freshById = new Map(fresh.map((row) => [row.id, row]));
  const shownIds = new Set(shown.map((row) => row.id));
  const lastKept = shown.findLastIndex((row) => freshById.has(row.id));
  const lastShared = fresh.findLastIndex((row) => shownIds.has(row.id));
  const above = lastKept < 0 ? fresh : fresh.slice(0, lastShared);
  return {
    rows: shown.map((row, i) => ({ row: freshById.get(row.id) ?? row, gone: !freshById.has(row.id) && i < lastKept })),
    unseen: above.filter((row) => !shownIds.has(row.id)).length,
  };
}
