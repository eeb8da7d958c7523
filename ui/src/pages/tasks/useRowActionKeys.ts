// SPDX-License-Identifier: Apache-2.0
import type { RefObject } from 'react';
import type { BulkAction } from '../../api/actions';
import type { TaskRow } from '../../api/client';
import { allows } from '../../parts/bulk';
import { useKeys } from '../../shell/useKeys';
import type { OnAct } from './TaskTable';

/** r, p and c act on the selected rows, or else on the focused one. Nothing without `onAct`. */
export function useRowActionKeys(
  table: RefObject<HTMLElement | null>, rows: readonly { readonly row: TaskRow; readonly gone: boolean }[],
  selected: ReadonlySet<string>, onAct: OnAct | undefined,
): void {
  const meant = () => {
    const focused = document.activeElement?.closest('tr');
    const id = focused && table.current?.contains(focused) ? focused.dataset.id : undefined;
    return rows.filter(({ row, gone }) => !gone && (selected.size > 0 ? selected.has(row.id) : row.id === id)).map(({ row }) => row);
  };
  const act = (choose: (tasks: readonly TaskRow[]) => BulkAction) => () => {
    const tasks = meant();
    const action = choose(tasks);
    const able = tasks.some((task) => allows(action, task));
    if (able) onAct?.(action, tasks);
    return able;
  };
  useKeys(onAct === undefined ? [] : [
    { key: 'r', words: 'Retry the focused or selected rows now', run: act(() => 'retry') },
    { key: 'p', words: 'Pause or resume the focused or selected rows', run: act((tasks) => (tasks.some((task) => allows('pause', task)) ? 'pause' : 'resume')) },
    { key: 'c', words: 'Cancel the focused or selected rows, after asking', run: act(() => 'cancel') },
  ]);
}
