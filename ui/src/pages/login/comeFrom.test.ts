// SPDX-License-Identifier: Apache-2.0
import { expect, it } from 'vitest';
import { isUnsafe, placeOf, returnAddress } from './comeFrom';

it.each([
  ['/tasks?kind=charge#x', '/jobs/ui/tasks?kind=charge#x'],
  ['/', '/jobs/ui/'],
  [undefined, '/jobs/ui/'],
  ['', '/jobs/ui/'],
  ['https://evil.example/', '/jobs/ui/'],
  ['javascript:alert(1)', '/jobs/ui/'],
  ['/login?from=/login', '/jobs/ui/'],
  ['/../task', '/jobs/ui/'],
  ['/..', '/jobs/ui/'],
  ['/%2e%2e/%2e%2e/x', '/jobs/ui/'],
])('returns from %s to %s', (from, address) => {
  expect(returnAddress(from, '/jobs/ui')).toBe(address);
});

it.each(['//evil.example/', '/\\evil.example/', '/@evil.example'])('%s leads to a path of this server', (from) => {
  const address = returnAddress(from, '/ui');
  expect(new URL(address, 'https://tasks.example.org').origin).toBe('https://tasks.example.org');
  expect(address.startsWith('/ui/')).toBe(true);
});

it('remembers the place with its filters', () => {
  expect(placeOf({ pathname: '/jobs/ui/tasks', search: '?kind=a', hash: '#b' }, '/jobs/ui')).toBe('/tasks?kind=a#b');
  expect(placeOf({ pathname: '/elsewhere', search: '', hash: '' }, '/jobs/ui')).toBe('/');
});

it.each([
  ['http://tasks.example.org/', true], ['http://10.0.0.7:8085/', true], ['http://127.evil.example/', true],
  ['https://tasks.example.org/', false], ['http://localhost:8085/', false], ['http://127.0.0.1/', false], ['http://[::1]:8085/', false],
])('a login at %s is lost: %s', (address, lost) => {
  expect(isUnsafe(new URL(address))).toBe(lost);
});
