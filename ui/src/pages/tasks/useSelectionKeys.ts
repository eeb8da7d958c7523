// SPDX-License-Identifier: Apache-2.0
import { useEffect, useRef } from 'react';
import type { RefObject } from 'react';
import { takesText } from '../../shell/keys';

interface Keys {
  readonly onToggle: (id: string) => void;
  readonly onExtend: (id: string) => void;
  readonly onAll: () => void;
  readonly onClear: () => void;
}

/** x selects the focused row, Shift+x the range to it, a all that match, Esc nothing. */
export function useSelectionKeys(table: RefObject<HTMLElement | null>, keys: Keys): void {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
      const checkbox = event.target instanceof HTMLInputElement && event.target.type === 'checkbox';
      if ((takesText(event.target) && !checkbox) || document.querySelector('[role$=dialog], [role=menu]')) return;
      const row = document.activeElement?.closest('tr');
      const id = row && table.current?.contains(row) ? row.dataset.id : undefined;
      if (event.key === 'a') latest.current.onAll();
      else if (event.key === 'Escape') latest.current.onClear();
      else if (event.key === 'x' && id) latest.current.onToggle(id);
      else if (event.key === 'X' && id) latest.current.onExtend(id);
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [table]);
}
