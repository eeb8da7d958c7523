// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { allows, isLoggedOut } from './session';

describe('roles', () => {
  it.each([
    [['admin'], 'operate', true],
    [['admin'], 'read', true],
    [['operate'], 'read', true],
    [['operate'], 'operate', true],
    [['operate'], 'admin', false],
    [['read'], 'read', true],
    [['read'], 'operate', false],
    [['read', 'submit'], 'submit', true],
    [['submit'], 'read', false],
    [[], 'read', false],
  ] as const)('%j allow %s: %s', (roles, role, allowed) => {
    expect(allows(roles, role)).toBe(allowed);
  });
});

describe('a person', () => {
  it('is logged out only if the server asks for a key', () => {
    expect(isLoggedOut({ asks: true, who: null, roles: [] })).toBe(true);
    expect(isLoggedOut({ asks: true, who: 'on-call', roles: ['read'] })).toBe(false);
    expect(isLoggedOut({ asks: false, who: 'anyone', roles: ['admin'] })).toBe(false);
    expect(isLoggedOut(undefined)).toBe(false);
  });
});
