// SPDX-License-Identifier: Apache-2.0
import { expect, it } from 'vitest';
import { LayoutCache } from './cache';

class Storage {
  readonly items = new Map<string, string>();
  get length() { return this.items.size; }
  key(index: number) { return [...this.items.keys()][index] ?? null; }
  getItem(key: string) { return this.items.get(key) ?? null; }
  setItem(key: string, value: string) { this.items.set(key, value); }
  removeItem(key: string) { this.items.delete(key); }
}

const layout = (width: number, nodes = 1) => ({
  width, height: 1, x: Array.from({ length: nodes }, () => 12_345), y: Array.from({ length: nodes }, () => 12_345), links: [],
});

it('keeps a layout for the next visit', () => {
  const store = new Storage();
  new LayoutCache(() => store).set('a', layout(7));
  expect(new LayoutCache(() => store).get('a')).toEqual(layout(7));
  expect(new LayoutCache(() => store).get('b')).toBeUndefined();
});

it('keeps eight, those used last', () => {
  const store = new Storage();
  store.setItem('theme', 'dark');
  const cache = new LayoutCache(() => store);
  for (let i = 0; i < 20; i++) {
    cache.set(`k${i}`, layout(i));
    cache.get('k0');
  }
  expect(store.length).toBe(9);
  expect(store.getItem('theme')).toBe('dark');
  store.items.clear();
  expect(Array.from({ length: 20 }, (_, i) => i).filter((i) => cache.get(`k${i}`))).toEqual([0, 13, 14, 15, 16, 17, 18, 19]);
});

it('keeps large layouts in memory only', () => {
  const store = new Storage();
  const cache = new LayoutCache(() => store);
  cache.set('large', layout(1, 40_000));
  expect(store.length).toBe(0);
  expect(cache.get('large')).toBeDefined();
});

it('lives without a storage, and with a spoilt one', () => {
  const cache = new LayoutCache(() => { throw new Error('SecurityError'); });
  cache.set('a', layout(1));
  expect(cache.get('a')).toEqual(layout(1));
  const store = new Storage();
  store.setItem('perdure.layout.a', '{"x":');
  store.setItem('perdure.layout.b', '{"x":1}');
  expect(new LayoutCache(() => store).get('a')).toBeUndefined();
  expect(new LayoutCache(() => store).get('b')).toBeUndefined();
});
