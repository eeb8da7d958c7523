// SPDX-License-Identifier: Apache-2.0
import { expect, it } from 'vitest';
import { columnSearch, columnsOf, DEFAULT_COLUMNS, readTaskSearch, reachWords } from './search';

it('keeps filters, order and columns, and nothing else', () => {
  const address = { kind: 'charge', sort: '-ended_at', columns: 'kind,worker', after: 'c' };
  expect(readTaskSearch({ ...address, other: '1' })).toEqual(address);
  expect(readTaskSearch({ sort: 'size', columns: DEFAULT_COLUMNS.join(','), page: 'x' })).toEqual({});
});

it('leaves out an order that a batch does not have', () => {
  const batch_id = '0198c0de-1111-7222-8333-444455550913';
  expect(readTaskSearch({ batch_id, sort: '-ended_at' })).toEqual({ batch_id });
  expect(readTaskSearch({ batch_id, sort: 'created_at' })).toEqual({ batch_id, sort: 'created_at' });
});

it('reads columns in their order', () => {
  expect(columnsOf({})).toEqual(DEFAULT_COLUMNS);
  expect(columnsOf({ columns: 'worker,kind,x' })).toEqual(['kind', 'worker']);
  expect(columnSearch(['worker', 'kind'])).toEqual({ columns: 'kind,worker' });
});

it('says how far it looked in the order of the list', () => {
  expect(reachWords(undefined, '50,000')).toBe('the newest 50,000 tasks, back to');
  expect(reachWords('created_at', '50,000')).toBe('the oldest 50,000 tasks, up to');
});
