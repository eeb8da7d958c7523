// SPDX-License-Identifier: Apache-2.0
// The columns of the task list besides the name.
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { TaskRow } from '../../api/client';
import { attemptWords, shortId } from '../../parts/attempt';
import { Badge } from '../../parts/Badge';
import { Age, When } from '../../parts/When';
import type { Column } from './search';
import css from './TaskTable.module.css';

interface Spec {
  readonly word: string;
  readonly width: string | undefined;
  /** What is seen, as text: the cell is tinted when it changes. */
  readonly text: (row: TaskRow) => string;
  /** What is drawn, if it is not the text. */
  readonly cell?: (row: TaskRow) => ReactNode;
}

export const COLUMN_SPECS: Readonly<Record<Column, Spec>> = {
  state: { word: 'State', width: css.state, text: ({ status }) => status, cell: ({ status }) => <Badge state={status} /> },
  kind: { word: 'Kind', width: css.kind, text: ({ kind }) => kind },
  attempt: { word: 'Attempt', width: css.attempt, text: attemptWords },
  failure: { word: 'Failure', width: css.failure, text: (row) => row.failure_reason ?? row.failure_kind ?? '' },
  next: { word: 'Next', width: css.time, text: (row) => nextOf(row) ?? '–', cell: (row) => <Next at={nextOf(row)} /> },
  age: { word: 'Age', width: css.time, text: ({ created_at: at }) => at, cell: ({ created_at: at }) => <Age at={at} /> },
  worker: { word: 'Worker', width: css.attempt, text: ({ worker }) => worker ?? '' },
  batch: {
    word: 'Batch', width: css.attempt, text: ({ batch_id: id }) => id,
    cell: ({ batch_id: id }) => <Link to="/batches/$id" params={{ id }} className={css.other ?? ''}>{shortId(id)}</Link>,
  },
  ended: { word: 'Ended', width: css.time, text: ({ ended_at: at }) => at ?? '', cell: ({ ended_at: at }) => at && <When at={at} /> },
};

/** When the task starts next, if anybody knows. */
function nextOf(row: TaskRow): string | null {
  if (row.status === 'RetryPending') return row.next_retry_at ?? null;
  return row.status === 'Pending' ? row.run_at : null;
}

function Next({ at }: { readonly at: string | null }) {
  return at === null ? '–' : <When at={at} past="due" />;
}
