// SPDX-License-Identifier: Apache-2.0
import { useState } from 'react';
import { steady } from '../../parts/steady';
import type { Steady } from '../../parts/steady';

interface Shown<T> {
  readonly key: string;
  readonly rows: readonly T[];
}

/** The rows to show: those first seen under this key, until the reader asks for newer ones. */
export function useSteadyRows<T extends { readonly id: string }>(
  key: string, fresh: readonly T[] | undefined,
): (Steady<T> & { showAll: () => void }) | undefined {
  const [shown, setShown] = useState<Shown<T>>({ key: '', rows: [] });
  const show = (rows: readonly T[]) => setShown({ key, rows });
  // An empty list has no reader whose place could be lost.
  if (fresh && (shown.key !== key || (shown.rows.length === 0 && fresh.length > 0))) show(fresh);
  const current = shown.key === key ? shown.rows : fresh;
  if (!current) return undefined;
  return { ...steady(current, fresh ?? current), showAll: () => fresh && show(fresh) };
}
