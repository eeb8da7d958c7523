// SPDX-License-Identifier: Apache-2.0
// Whether the server was replaced by another version since this page was opened.
import { useSyncExternalStore } from 'react';

let first: string | null = null;
let replaced = false;
const listeners = new Set<() => void>();

/** Takes the data of the event `hello`, with which every stream begins. */
export function seen(hello: string): void {
  const version = versionOf(hello);
  if (version === null) return;
  first ??= version;
  if (version === first || replaced) return;
  replaced = true;
  listeners.forEach((listener) => listener());
}

function versionOf(hello: string): string | null {
  try {
    const { version } = JSON.parse(hello) as { version?: unknown };
    return typeof version === 'string' ? version : null;
  } catch {
    return null;
  }
}

/** True once a server of another version has answered. */
export function useReplaced(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => replaced,
  );
}
