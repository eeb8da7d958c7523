// SPDX-License-Identifier: Apache-2.0
// Who uses the page, and what that person may do.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, bodyOf } from './client';
import { ApiError } from './problem';
import type { components } from './schema';

export type Session = components['schemas']['Session'];
export type Role = 'read' | 'submit' | 'work' | 'operate' | 'admin';

export const SESSION_KEY = ['session'] as const;

export function session() {
  return queryOptions({
    queryKey: SESSION_KEY,
    queryFn: async ({ signal }) => bodyOf(await api.GET('/session', { signal })),
    // Any refused request asks again.
    staleTime: Infinity,
  });
}

/** True if the server wants a key that this browser has not shown. */
export function isLoggedOut(known: Session | undefined): boolean {
  return known !== undefined && known.asks && known.who === null;
}

/** The roles that include others are those of the server. */
export function allows(roles: readonly string[], role: Role): boolean {
  return roles.includes('admin') || roles.includes(role) || (role === 'read' && roles.includes('operate'));
}

/** Whether to show actions that need a role. The server checks it again. */
export function useMay(role: Role): boolean {
  const { data } = useQuery(session());
  return data !== undefined && allows(data.roles, role);
}

export type LoginResult = 'ok' | 'wrong' | { readonly retryAfterSeconds: number };

/** Opens a session; throws if the server cannot answer. */
export async function logIn(key: string): Promise<LoginResult> {
  const { error, response } = await api.POST('/session', { body: { key } });
  if (response.ok) return 'ok';
  // A key of a wrong form is as wrong as any other.
  if (response.status === 401 || response.status === 400) return 'wrong';
  if (response.status === 429) return { retryAfterSeconds: Number(response.headers.get('Retry-After')) || 60 };
  throw new ApiError(response.status, error);
}

export async function logOut(): Promise<void> {
  const { error, response } = await api.DELETE('/session');
  if (!response.ok) throw new ApiError(response.status, error);
}
