// SPDX-License-Identifier: Apache-2.0
// Which rows of a list are selected.

export interface Selection {
  readonly ids: ReadonlySet<string>;
  /** Where a range begins: the row that was selected last. */
  readonly anchor: string | null;
  /** All tasks that match, also those on other pages. */
  readonly all: boolean;
}

export const NONE: Selection = { ids: new Set(), anchor: null, all: false };
export const ALL: Selection = { ids: new Set(), anchor: null, all: true };

/** Selects a row, or deselects it. */
export function toggled({ ids }: Selection, id: string): Selection {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return { ids: next, anchor: id, all: false };
}

/** Selects all rows from the anchor to this one; without an anchor only this one. */
export function extended({ ids, anchor }: Selection, id: string, order: readonly string[]): Selection {
  const from = anchor === null ? -1 : order.indexOf(anchor);
  const to = order.indexOf(id);
  if (to < 0) return { ids, anchor, all: false };
  const range = from < 0 ? [id] : order.slice(Math.min(from, to), Math.max(from, to) + 1);
  return { ids: new Set([...ids, ...range]), anchor: id, all: false };
}

/** Selects every row of the page, or none if all are selected. */
export function pageToggled(selection: Selection, order: readonly string[]): Selection {
  const every = selection.all || order.every((id) => selection.ids.has(id));
  return every ? NONE : { ids: new Set(order), anchor: null, all: false };
}

/** Without rows that are no longer shown. */
export function within(selection: Selection, order: readonly string[]): readonly string[] {
  return selection.all ? order : order.filter((id) => selection.ids.has(id));
}
