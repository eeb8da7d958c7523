// SPDX-License-Identifier: Apache-2.0
import type { RefObject } from 'react';
import { useKeys } from '../../shell/useKeys';

interface Keys {
  readonly onToggle: (id: string) => void;
  readonly onExtend: (id: string) => void;
  readonly onAll: () => void;
  readonly onClear: () => void;
}

/** x selects the focused row, Shift+x the range to it, a all that match, Esc nothing. Without `keys` rows cannot be selected. */
export function useSelectionKeys(table: RefObject<HTMLElement | null>, keys: Keys | null): void {
  const withRow = (act: (id: string) => void) => () => {
    const row = document.activeElement?.closest('tr');
    const id = row && table.current?.contains(row) ? row.dataset.id : undefined;
    if (id) act(id);
    return Boolean(id);
  };
  const clear = (onClear: () => void) => () => {
    onClear();
    // Whatever else Esc closes is closed too.
    return false;
  };
  useKeys(keys === null ? [] : [
    { key: 'x', words: 'Select the focused row', run: withRow(keys.onToggle) },
    { key: 'X', words: 'Select the range to the focused row', run: withRow(keys.onExtend) },
    { key: 'a', words: 'Select all tasks that match', run: keys.onAll },
    { key: 'Escape', words: 'Select nothing', run: clear(keys.onClear) },
  ]);
}
