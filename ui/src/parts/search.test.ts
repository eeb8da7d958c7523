// SPDX-License-Identifier: Apache-2.0
import { expect, it } from 'vitest';
import { readSearch, writeSearch } from './search';

it('writes parameters that a person can read', () => {
  expect(writeSearch({ status: 'Failure,Running', q: '503', kind: undefined, name: '' })).toBe('?status=Failure,Running&q=503');
  expect(writeSearch({})).toBe('');
});

it('reads what it wrote', () => {
  const search = { q: 'a&b=c d+e %2C "x"', kind: '=charge-card', metadata: '{"a":1,"b":"é"}' };
  expect(readSearch(writeSearch(search))).toEqual(search);
});

it('keeps numbers as text', () => {
  expect(readSearch('?q=503&page=2')).toEqual({ q: '503', page: '2' });
});
