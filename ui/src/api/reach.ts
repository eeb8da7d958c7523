// SPDX-License-Identifier: Apache-2.0
// Whether the server answers.
import { useSyncExternalStore } from 'react';

let lastAnswerAt = Date.now();
let awaySince: number | null = null;
const listeners = new Set<() => void>();

function become(next: number | null): void {
  if (next === awaySince) return;
  awaySince = next;
  listeners.forEach((listener) => listener());
}

/** Any answer counts, also a refusal. */
export function answered(): void {
  lastAnswerAt = Date.now();
  become(null);
}

export function unanswered(): void {
  become(awaySince ?? lastAnswerAt);
}

/** When the server answered last, by the clock of the browser; null while it answers. */
export function useAwaySince(): number | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => awaySince,
  );
}
