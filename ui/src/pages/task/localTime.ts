// SPDX-License-Identifier: Apache-2.0
// Instants as the text of a datetime-local field, which has no zone: it is that of the viewer.

export function toLocal(at: number): string {
  const date = new Date(at);
  const two = (number: number) => String(number).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/** Null while the field is empty or half filled in. */
export function fromLocal(text: string): number | null {
  const at = /^\d{4,}-\d\d-\d\dT\d\d:\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : at;
}
