// SPDX-License-Identifier: Apache-2.0
// Keeps layouts by their shape: a few in memory, small ones also for the next visit of this tab.
import type { Layout } from './layout';

const PREFIX = 'perdure.layout.';
const KEPT = 8;
const LARGEST_STORED = 200_000;

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

export class LayoutCache {
  readonly #memory = new Map<string, Layout>();
  readonly #store: () => Store | undefined;

  /** `store` may throw: browsers can refuse access to their storage. */
  constructor(store: () => Store | undefined = () => globalThis.sessionStorage) {
    this.#store = store;
  }

  get(key: string): Layout | undefined {
    const known = this.#memory.get(key) ?? this.#stored(key);
    if (known) this.#remember(key, known);
    return known;
  }

  set(key: string, layout: Layout): void {
    this.#remember(key, layout);
    const text = JSON.stringify(layout);
    if (text.length > LARGEST_STORED) return;
    try {
      const store = this.#store();
      if (!store) return;
      const stored = Array.from({ length: store.length }, (_, i) => store.key(i) ?? '').filter((name) => name.startsWith(PREFIX));
      for (const name of stored.slice(0, Math.max(0, stored.length - KEPT + 1))) store.removeItem(name);
      store.setItem(PREFIX + key, text);
    } catch {
      // A full or forbidden storage only means that the next visit lays out again.
    }
  }

  /** A map keeps the order of insertion, so its first key is the one used longest ago. */
  #remember(key: string, layout: Layout): void {
    this.#memory.delete(key);
    this.#memory.set(key, layout);
    const oldest = this.#memory.keys().next().value;
    if (this.#memory.size > KEPT && oldest !== undefined) this.#memory.delete(oldest);
  }

  #stored(key: string): Layout | undefined {
    try {
      const text = this.#store()?.getItem(PREFIX + key);
      return text ? checked(JSON.parse(text)) : undefined;
    } catch {
      return undefined;
    }
  }
}

function checked(value: unknown): Layout | undefined {
  const layout = value as Partial<Layout> | null;
  return Array.isArray(layout?.x) && Array.isArray(layout.y) && Array.isArray(layout.links) ? layout as Layout : undefined;
}
