// SPDX-License-Identifier: Apache-2.0
// JSON with numbers exactly as they were sent: 12900000000000000001 must not become 12900000000000000000.

/** A number that JavaScript would write differently. */
export class ExactNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const KEY = '\u0000exact';
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Like JSON.parse, but numbers that would change become an ExactNumber. */
export function parseExact(text: string): unknown {
  const marked = text.replace(TOKEN, (token) =>
    token.startsWith('"') || survives(token) ? token : `{"\\u0000exact":"${token}"}`);
  return JSON.parse(marked, (_, value: unknown) => {
    if (typeof value !== 'object' || value === null || !(KEY in value)) return value;
    return new ExactNumber(String(value[KEY]));
  });
}

/** The nearest number that JavaScript has, to compute with. Anything else is returned as it is. */
export function asNumber(value: unknown): unknown {
  return value instanceof ExactNumber ? Number(value.text) : value;
}

/** Whether JavaScript would write the number as it was sent: not 1.50, 1e400 or integers beyond 2^53. */
function survives(token: string): boolean {
  return String(Number(token)) === token;
}

/** Indented JSON text. */
export function formatJson(value: unknown, indent = ''): string {
  if (value instanceof ExactNumber) return value.text;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const inner = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((one) => inner + formatJson(one, inner))
    : Object.entries(value).map(([key, one]) => `${inner}${JSON.stringify(key)}: ${formatJson(one, inner)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return parts.length === 0 ? `${open}${close}` : `${open}\n${parts.join(',\n')}\n${indent}${close}`;
}
