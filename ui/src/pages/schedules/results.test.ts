// SPDX-License-Identifier: Apache-2.0
import { expect, it } from 'vitest';
import { resultWords } from './Results';

it('counts how the last firings went', () => {
  expect(resultWords(['Success', 'Failure', null, 'Success'])).toBe('Last 4 runs: 2 succeeded, 1 failed');
});
