// SPDX-License-Identifier: Apache-2.0
import { expect, it } from 'vitest';
import { steady } from './steady';

interface Row {
  readonly id: string;
  readonly state: string;
}

function rows(ids: string, state = ''): Row[] {
  return [...ids].map((id) => ({ id, state }));
}

function order(result: { rows: readonly { row: Row; gone: boolean }[] }): string {
  return result.rows.map(({ row, gone }) => (gone ? `(${row.id})` : row.id)).join('');
}

it('updates rows in place', () => {
  const result = steady(rows('abc', 'Running'), rows('abc', 'Success'));
  expect(result.rows.every(({ row }) => row.state === 'Success')).toBe(true);
  expect(result.unseen).toBe(0);
});

it('counts new rows instead of showing them', () => {
  const result = steady(rows('abc'), rows('xyabc'));
  expect(order(result)).toBe('abc');
  expect(result.unseen).toBe(2);
});

it('counts rows that appear in between', () => {
  expect(steady(rows('abc'), rows('abxc')).unseen).toBe(1);
});

it('keeps rows that new ones pushed to the next page', () => {
  expect(order(steady(rows('abc'), rows('xya')))).toBe('abc');
});

it('marks rows that no longer match', () => {
  const result = steady(rows('abc'), rows('acd'));
  expect(order(result)).toBe('a(b)c');
  expect(result.unseen).toBe(0);
});

it('counts everything when nothing that is shown is left', () => {
  expect(steady(rows('ab'), rows('xyz')).unseen).toBe(3);
  expect(steady(rows('ab'), []).unseen).toBe(0);
});
