// SPDX-License-Identifier: Apache-2.0
import { expect, it } from 'vitest';
import { ApiError } from '../api/problem';
import { actionWords, isUnclear } from './toast';

it('says why an action was refused', () => {
  expect(actionWords(new ApiError(409, { detail: 'The task has succeeded.' })))
    .toEqual({ title: 'Not done.', detail: 'The task has succeeded.' });
  expect(actionWords(new ApiError(403, {})).title).toBe('Your key can only read.');
});

it('names every field of a bad request', () => {
  const errors = [{ path: 'name', message: 'is taken' }, { path: 'trigger', message: 'is missing' }];
  expect(actionWords(new ApiError(400, { errors })).detail).toBe('name: is taken · trigger: is missing');
});

it('says that nobody knows whether it was done', () => {
  expect(actionWords(new ApiError(503, {})).title).toBe('It may have been done.');
  expect(actionWords(new TypeError('Failed to fetch')).detail).toContain('It may have been done.');
});

it('says that nothing was done if the server asks to repeat the request', () => {
  expect(actionWords(new ApiError(503, { detail: 'busy' }, true)).title)
    .toBe('Not done. The server is too busy or cannot reach its database.');
});

it.each([
  [new TypeError('Failed to fetch'), true], [new ApiError(503, {}), true], [new ApiError(504, {}), true],
  [new ApiError(503, {}, true), false], [new ApiError(409, {}), false],
])('%s leaves it unclear: %s', (error, unclear) => {
  expect(isUnclear(error)).toBe(unclear);
});
