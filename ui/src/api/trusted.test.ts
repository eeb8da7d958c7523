// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { checkOwnScript } from './trusted';

const PAGE = 'https://tasks.example.org/jobs/ui/batches/7';
const check = (url: string) => checkOwnScript(url, PAGE, '/jobs/ui', ['assets']);

describe('a worker', () => {
  it('may start from a file of the dashboard', () => {
    expect(check('/jobs/ui/assets/layout-1a.js')).toBe('/jobs/ui/assets/layout-1a.js');
    expect(check('https://tasks.example.org/jobs/ui/assets/layout-1a.js')).toBe('https://tasks.example.org/jobs/ui/assets/layout-1a.js');
  });

  it.each([
    'https://evil.example/jobs/ui/assets/layout-1a.js',
    '//evil.example/jobs/ui/assets/layout-1a.js',
    'http://tasks.example.org/jobs/ui/assets/layout-1a.js',
    '/jobs/ui/assets/../../task/1',
    '/jobs/ui/assets/%2e%2e/%2e%2e/task/1',
    '/ui/assets/layout-1a.js',
    '/jobs/task/1',
    'layout-1a.js',
    'data:text/javascript,alert(1)',
    'blob:https://tasks.example.org/1',
    'javascript:alert(1)',
  ])('may not start from %s', (url) => {
    expect(() => check(url)).toThrow(TypeError);
  });
});
