// SPDX-License-Identifier: Apache-2.0
import type { RefObject } from 'react';
import { useKeys } from '../shell/useKeys';
import type { PageKey } from '../shell/useKeys';

const ROWS = 'tbody tr, [data-row]';
const MENU = 'button[aria-haspopup=menu]';

/**
 * Keys of a list: they move between the first links of its rows, and open the menu of the focused
 * row. `buttons` names further keys; each presses the button of the row that has it in
 * aria-keyshortcuts. Enter needs no key of its own, since the focus is on a link.
 */
export function useRowKeys(list: RefObject<HTMLElement | null>, buttons: Readonly<Record<string, string>> = {}): void {
  const rows = () => [...(list.current?.querySelectorAll<HTMLElement>(ROWS) ?? [])];
  const current = () => rows().findIndex((row) => row.contains(document.activeElement));
  const focus = (index: number) => rows()[index]?.querySelector<HTMLElement>('a, button')?.focus();
  const press = (selector: string) => {
    const button = rows()[current()]?.querySelector<HTMLElement>(selector);
    button?.click();
    return button !== null && button !== undefined;
  };
  const move = (key: string, words: string, by: number): PageKey => ({
    key, words, repeats: true,
    run: () => {
      const at = current();
      // Until a row has the focus, arrows scroll the page.
      if (at < 0 && key.startsWith('Arrow')) return false;
      focus(at < 0 ? 0 : at + by);
      return true;
    },
  });
  useKeys([
    move('j', 'Next row', 1), move('ArrowDown', 'Next row', 1),
    move('k', 'Previous row', -1), move('ArrowUp', 'Previous row', -1),
    { key: '.', words: 'Open the menu of the focused row', run: () => press(MENU) },
    ...Object.entries(buttons).map(([key, words]): PageKey =>
      ({ key, words, run: () => press(`button[aria-keyshortcuts="${CSS.escape(key)}"]`) })),
  ]);
}
