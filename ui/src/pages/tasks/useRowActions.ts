// SPDX-License-Identifier: Apache-2.0
import { ONE } from '../../api/actions';
import type { BulkAction } from '../../api/actions';
import type { TaskRow } from '../../api/client';
import { shortId } from '../../parts/attempt';
import { useAction } from '../../parts/useAction';
import type { OnAct } from './TaskTable';

const DONE: Readonly<Record<BulkAction, string>> = { retry: 'due now', pause: 'paused', resume: 'resumed', cancel: 'canceled' };

/** Acts on one row at once. Asks first for more than one, and for what ends or repeats work. */
export function useRowActions(ask: OnAct): OnAct {
  const one = useAction(
    ({ action, row }: { action: BulkAction; row: TaskRow }) => ONE[action](row.id),
    ({ action, row }) => `${row.name ?? row.local_id ?? shortId(row.id)} is ${DONE[action]}.`,
  );
  return (action, rows) => {
    const [row] = rows;
    const asks = action === 'cancel' || (action === 'retry' && row?.allowed.includes('retry_now') !== true);
    if (!row || rows.length > 1 || asks) ask(action, rows);
    else one.mutate({ action, row });
  };
}
