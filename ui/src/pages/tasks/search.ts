// SPDX-License-Identifier: Apache-2.0
// The state of the page in its address: filters, order, columns and page.
import type { Cursor } from '../../api/link';
import { fromParams, toParams } from '../../parts/filters';
import type { FilterParams } from '../../parts/filters';

/** The orders of the API besides the default, the newest first. */
export const SORTS = ['created_at', 'next_retry_at', '-ended_at'] as const;
export type Sort = (typeof SORTS)[number];

export const SORT_WORDS: Readonly<Record<Sort | '', string>> = {
  '': 'newest first', created_at: 'oldest first', next_retry_at: 'next retry first', '-ended_at': 'ended last first',
};

export const COLUMNS = ['state', 'kind', 'attempt', 'failure', 'next', 'age', 'worker', 'batch', 'ended'] as const;
export type Column = (typeof COLUMNS)[number];

export const DEFAULT_COLUMNS: readonly Column[] = ['state', 'kind', 'attempt', 'failure', 'next', 'age'];

/** What a link to another page or filter keeps. */
export interface TaskView {
  readonly sort?: Sort;
  /** The columns, if they are not the default, with commas. The name is always shown. */
  readonly columns?: string;
}

export type TaskSearch = FilterParams & Cursor & TaskView;

/** Keeps what the task list understands of its address. */
export function readTaskSearch(raw: Readonly<Record<string, unknown>>): TaskSearch {
  const after = typeof raw.after === 'string' ? { after: raw.after } : {};
  const page = typeof raw.page === 'string' && /^\d+$/.test(raw.page) ? { page: raw.page } : {};
  return { ...toParams(fromParams(raw)), ...viewOf(raw), ...after, ...page };
}

export function viewOf(raw: Readonly<Record<string, unknown>>): TaskView {
  const sort = sortsFor(raw).find((name) => name === raw.sort);
  return { ...(sort ? { sort } : {}), ...(typeof raw.columns === 'string' ? columnSearch(columnsOf(raw)) : {}) };
}

/** The tasks of a batch have one order and its reverse. */
export function sortsFor({ batch_id: batch }: Readonly<Record<string, unknown>>): readonly Sort[] {
  return batch === undefined ? SORTS : ['created_at'];
}

export function columnsOf({ columns }: Readonly<Record<string, unknown>>): readonly Column[] {
  if (typeof columns !== 'string') return DEFAULT_COLUMNS;
  const names = new Set(columns.split(','));
  return COLUMNS.filter((name) => names.has(name));
}

export function columnSearch(columns: readonly Column[]): Pick<TaskView, 'columns'> {
  const text = COLUMNS.filter((name) => columns.includes(name)).join(',');
  return text === DEFAULT_COLUMNS.join(',') ? {} : { columns: text };
}

/** "the newest 50,000 tasks, back to", as the order of the list has it. */
export function reachWords(sort: Sort | undefined, tasks: string): string {
  switch (sort) {
    case 'created_at':
      return `the oldest ${tasks} tasks, up to`;
    case 'next_retry_at':
      return `the next ${tasks} retries, up to`;
    case '-ended_at':
      return `the ${tasks} tasks that ended last, back to`;
    default:
      return `the newest ${tasks} tasks, back to`;
  }
}
