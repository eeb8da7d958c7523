// SPDX-License-Identifier: Apache-2.0
import { useEffect } from 'react';
import type { RefObject } from 'react';
import { takesText } from '../shell/keys';
import { preferences } from '../shell/preferences';

/**
 * Keys of a list: j and k move between the links of its rows; other keys press the button of the
 * focused row that names them in aria-keyshortcuts. On `window`, after the keys of the whole page:
 * the r of "g r" goes to a place and does not retry anything.
 */
export function useRowKeys(table: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!preferences().singleKeys) return;
      const modified = event.ctrlKey || event.altKey || event.metaKey || event.shiftKey;
      if (event.defaultPrevented || modified || takesText(event.target) || document.querySelector('[role$=dialog]')) return;
      const rows = [...(table.current?.querySelectorAll('tbody tr') ?? [])];
      const current = rows.findIndex((row) => row.contains(document.activeElement));
      if (event.key === 'j' || event.key === 'k') {
        const next = current < 0 ? 0 : current + (event.key === 'j' ? 1 : -1);
        rows[next]?.querySelector('a')?.focus();
      } else rows[current]?.querySelector<HTMLButtonElement>(`button[aria-keyshortcuts="${CSS.escape(event.key)}"]`)?.click();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [table]);
}
