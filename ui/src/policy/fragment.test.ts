// SPDX-License-Identifier: Apache-2.0
import { expect, it } from 'vitest';
import { policyHash, policyOfHash } from './fragment';

it.each(['{"preset":"http"}', '{"a": "für immer ∞ 🙂"}', '', '>>>???'])('carries %j', (text) => {
  expect(policyHash(text)).toMatch(/^p=[\w-]*$/);
  expect(policyOfHash(policyHash(text))).toBe(text);
  expect(policyOfHash(`#${policyHash(text)}`)).toBe(text);
});

it.each(['', '#', '#x=1', 'p=%%%', 'p=_w'])('finds no policy in %j', (hash) => {
  expect(policyOfHash(hash)).toBeNull();
});
