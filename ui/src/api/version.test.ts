// SPDX-License-Identifier: Apache-2.0
// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react';
import { expect, it } from 'vitest';
import { seen, useReplaced } from './version';

it('notices that another version answers', () => {
  const { result } = renderHook(useReplaced);
  const after = (hello: string) => {
    act(() => seen(hello));
    return result.current;
  };
  expect(after('{"version": "0.2.0"}')).toBe(false);
  expect(after('{"version": "0.2.0"}')).toBe(false);
  expect(after('nonsense')).toBe(false);
  expect(after('{}')).toBe(false);
  expect(after('{"version": "0.3.0"}')).toBe(true);
});
