// SPDX-License-Identifier: Apache-2.0

/** The cursor of the next page, by whichever parameter the server pages this list. */
export interface Cursor {
  readonly after?: string;
  readonly page?: string;
}

/** Reads `<…?after=…>; rel="next"`. Null on the last page. */
export function nextCursor(header: string | null): Cursor | null {
  for (const [, target = '', attributes = ''] of (header ?? '').matchAll(/<([^>]*)>([^<]*)/g)) {
    if (!/;\s*rel="?next"?/i.test(attributes)) continue;
    const params = new URLSearchParams(target.slice(target.indexOf('?') + 1));
    const after = params.get('after');
    const page = params.get('page');
    if (after !== null) return { after };
    if (page !== null) return { page };
  }
  return null;
}

/** How many rows the list has on all pages; not exact if the server stopped counting. */
export function totalOf(headers: Headers): { readonly total: number; readonly exact: boolean } {
  return { total: Number(headers.get('X-Total-Count') ?? 0), exact: headers.get('X-Total-Exact') !== 'false' };
}
