// SPDX-License-Identifier: Apache-2.0
import type { Cursor } from '../../api/link';
import { fromParams, toParams } from '../../parts/filters';
import type { FilterParams } from '../../parts/filters';

export type BatchView = 'graph' | 'gantt' | 'table';

/** `run` counts from 1, as people do. The rest filters the table. */
export type BatchSearch = Omit<FilterParams, 'batch_id'> & Cursor & {
  readonly view?: BatchView;
  readonly run?: string;
  readonly task?: string;
};

/** Keeps what the page of a batch understands of the URL. */
export function batchSearch(raw: Record<string, unknown>): BatchSearch {
  const { batch_id: _, ...filters } = toParams(fromParams(raw));
  return {
    ...filters,
    ...(raw.view === 'graph' || raw.view === 'gantt' || raw.view === 'table' ? { view: raw.view } : {}),
    ...(typeof raw.run === 'string' && /^[1-9]\d{0,8}$/.test(raw.run) ? { run: raw.run } : {}),
    ...(typeof raw.task === 'string' && raw.task !== '' ? { task: raw.task } : {}),
    ...(typeof raw.after === 'string' ? { after: raw.after } : {}),
    ...(typeof raw.page === 'string' && /^\d+$/.test(raw.page) ? { page: raw.page } : {}),
  };
}
