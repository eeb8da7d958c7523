// SPDX-License-Identifier: Apache-2.0
import { expect, it } from 'vitest';
import { ownScript } from './trusted';

const PAGE = 'https://perdure.example/ui/batches/1';

it('lets the built files through', () => {
  expect(ownScript('/ui/assets/layout.worker-x.js', PAGE, '/ui/assets/')).toBe('/ui/assets/layout.worker-x.js');
});

it.each([
  '/ui/other.js', '/task/1', '/ui/assets/../../task/1', 'https://evil.example/ui/assets/a.js', '//evil.example/ui/assets/a.js',
  'data:text/javascript,alert(1)', 'blob:https://perdure.example/1',
])('refuses %s', (url) => {
  expect(() => ownScript(url, PAGE, '/ui/assets/')).toThrow(TypeError);
});
