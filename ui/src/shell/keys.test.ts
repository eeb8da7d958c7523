// SPDX-License-Identifier: Apache-2.0
import { expect, it } from 'vitest';
import { KeyReader } from './keys';

function read(...keys: (string | { key: string; at?: number; modified?: boolean; typing?: boolean })[]) {
  const reader = new KeyReader(['t', ',']);
  return keys.map((press) => {
    const given = typeof press === 'string' ? { key: press } : press;
    return reader.press({ at: 0, modified: false, typing: false, ...given });
  });
}

it('goes to a place with g and its key', () => {
  expect(read('g', 't')).toEqual([null, 'go t']);
  expect(read('g', ',')).toEqual([null, 'go ,']);
});

it('reads t alone as the theme', () => {
  expect(read('t', '/', '?', '[', 'l')).toEqual(['theme', 'search', 'help', 'sidebar', 'live']);
});

it('forgets g after an unknown key, after a while and after typing', () => {
  expect(read('g', 'x', 't')).toEqual([null, null, 'theme']);
  expect(read('g', { key: 't', at: 1_501 })).toEqual([null, 'theme']);
  expect(read('g', { key: 'a', typing: true }, 't')).toEqual([null, null, 'theme']);
});

it('leaves keys to fields and to the browser', () => {
  expect(read({ key: '/', typing: true }, { key: 't', modified: true })).toEqual([null, null]);
});
