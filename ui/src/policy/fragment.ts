// SPDX-License-Identifier: Apache-2.0
// A policy in the fragment of a link (#p=…): no server sees it.

const KEY = 'p=';

/** The fragment without its #, as base64url of UTF-8. */
export function policyHash(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return KEY + btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** The policy of a fragment, with or without its #; null if there is none or it cannot be read. */
export function policyOfHash(hash: string): string | null {
  const text = hash.replace(/^#/, '');
  if (!text.startsWith(KEY)) return null;
  try {
    const binary = atob(text.slice(KEY.length).replaceAll('-', '+').replaceAll('_', '/'));
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(binary, (char) => char.charCodeAt(0)));
  } catch {
    return null;
  }
}
