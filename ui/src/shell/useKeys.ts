// SPDX-License-Identifier: Apache-2.0
// The keys of a page. A page names them, so that "?" lists what works there.
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { isCovered, takesText } from './keys';
import { preferences } from './preferences';

export interface PageKey {
  /** As `KeyboardEvent.key` has it: "x", "X" with Shift, "ArrowDown". */
  readonly key: string;
  readonly words: string;
  /** Answers false if there was nothing to do; then the browser does what it does with the key. */
  readonly run: () => boolean | void;
  /** Whether holding the key down repeats it. */
  readonly repeats?: boolean;
}

/** What "?" says of a key. */
export type KeyWords = Pick<PageKey, 'key' | 'words'>;

let registered: readonly (readonly KeyWords[])[] = [];
const listeners = new Set<() => void>();

function register(keys: readonly KeyWords[]): () => void {
  const set = (next: typeof registered) => {
    registered = next;
    listeners.forEach((listener) => listener());
  };
  set([...registered, keys]);
  return () => set(registered.filter((one) => one !== keys));
}

/** Whether a key press is a command of the page: nothing is open above it, and the key is not text. */
export function isCommand(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return false;
  // Named keys such as arrows cannot be pressed by speaking (WCAG 2.1.4).
  if (event.key.length === 1 && !preferences().singleKeys) return false;
  return !takesText(event.target) && !isCovered();
}

/**
 * Listens for keys while the component is shown. On `window`, after the keys that work everywhere:
 * the r of "g r" goes to a place and does not retry anything.
 */
export function useKeys(keys: readonly PageKey[]): void {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!isCommand(event)) return;
      const found = latest.current.find(({ key }) => key === event.key);
      if (!found || (event.repeat && !found.repeats)) return;
      if (found.run() !== false) event.preventDefault();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
  useKeyWords(keys);
}

/** Lists keys that an element of the page, such as a graph, handles itself. */
export function useKeyWords(keys: readonly KeyWords[]): void {
  const names = JSON.stringify(keys.map(({ key, words }) => ({ key, words })));
  useEffect(() => register(JSON.parse(names) as KeyWords[]), [names]);
}

/** The keys of the page that is shown. Keys that do the same share a line. */
export function usePageKeys(): { keys: string; words: string }[] {
  const all = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => registered,
  );
  const lines = new Map<string, Set<string>>();
  for (const { key, words } of all.flat()) lines.set(words, (lines.get(words) ?? new Set()).add(keyName(key)));
  return [...lines].map(([words, keys]) => ({ keys: [...keys].join(' '), words }));
}

const NAMES: Readonly<Record<string, string>> = {
  ArrowDown: '↓', ArrowUp: '↑', ArrowLeft: '←', ArrowRight: '→', Escape: 'Esc',
};

function keyName(key: string): string {
  return NAMES[key] ?? (/^[A-Z]$/.test(key) ? `Shift ${key.toLowerCase()}` : key);
}
