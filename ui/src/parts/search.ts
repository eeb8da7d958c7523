// SPDX-License-Identifier: Apache-2.0
// URL search parameters as plain text. The router's default is JSON, which puts quotes around "503".

export function readSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

export function writeSearch(search: Readonly<Record<string, unknown>>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    if (typeof value === 'string' && value !== '') params.set(name, value);
  }
  // Commas, colons and slashes are allowed in a query, and easier to read in a link.
  const text = params.toString().replace(/%2C/g, ',').replace(/%3A/g, ':').replace(/%2F/g, '/');
  return text === '' ? '' : `?${text}`;
}
