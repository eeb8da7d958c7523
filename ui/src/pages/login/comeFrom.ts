// SPDX-License-Identifier: Apache-2.0
// Where to go after the login: back, but never to another site.

/** The part of an address below the dashboard's own path, such as `/tasks?kind=charge`. */
export function placeOf(address: { pathname: string; search: string; hash: string }, base: string): string {
  const path = address.pathname.startsWith(`${base}/`) ? address.pathname.slice(base.length) : '/';
  return `${path}${address.search}${address.hash}`;
}

/** The address to return to; the first page if `from` is not a place of the dashboard. */
export function returnAddress(from: string | undefined, base: string): string {
  const home = `${base}/`;
  if (from === undefined || !from.startsWith('/')) return home;
  const { pathname, search, hash } = new URL(`http://dashboard${base}${from}`);
  if (!pathname.startsWith(home) || pathname === `${base}/login`) return home;
  return `${pathname}${search}${hash}`;
}

/** Whether the browser drops the cookie of a session: over plain http it is kept for this machine only. */
export function isUnsafe({ protocol, hostname }: { readonly protocol: string; readonly hostname: string }): boolean {
  return protocol === 'http:' && !/^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
