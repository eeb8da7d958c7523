// SPDX-License-Identifier: Apache-2.0
import { expect, it } from 'vitest';
import { batchSearch } from './search';

it('keeps the view, the run, the task and the filters of the table', () => {
  const search = { view: 'gantt', run: '2', task: '0198', status: 'Failure', kind: '=mail', after: 'c1' };
  expect(batchSearch(search)).toEqual(search);
});

it('drops what it does not understand', () => {
  expect(batchSearch({ view: 'pie', run: '0', task: '', page: 'x', batch_id: 'another' })).toEqual({});
});
