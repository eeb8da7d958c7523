// SPDX-License-Identifier: Apache-2.0
import { expect, it } from 'vitest';
import { isFormPolicy, parsePolicy } from '../../policy/form';
import { failureOf, PRESETS } from './presets';

it.each(PRESETS)('$word fits the form', ({ text }) => {
  expect(isFormPolicy(parsePolicy(text).value)).toBe(true);
});

it('sends a failure with its Retry-After', () => {
  expect(failureOf('429', '20')).toEqual({ kind: 'http', status: 429, retry_after_ms: 20_000 });
  expect(failureOf('429', '')).toEqual({ kind: 'http', status: 429 });
  expect(failureOf('429', 'soon')).toEqual({ kind: 'http', status: 429 });
  expect(failureOf('', '20')).toBeNull();
});
