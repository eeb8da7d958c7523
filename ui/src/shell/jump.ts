// SPDX-License-Identifier: Apache-2.0
// What the search box offers for a text: places, and what the server finds.
import type { components } from '../api/schema';
import { PLACES } from './places';
import type { Path } from './places';

export type Found = components['schemas']['Found'];

export type Jump =
  | { readonly type: 'place'; readonly key: string; readonly words: string; readonly path: Path }
  | { readonly type: Found['type']; readonly key: string; readonly words: string; readonly id: string };

const MOST_PLACES = 4;

/** Places whose name has a word that begins with the text; "go to" in front is understood. */
export function placesFor(text: string): Jump[] {
  const wanted = text.trim().toLowerCase().replace(/^go (to )?/, '');
  if (wanted === '') return [];
  return PLACES.filter(({ name }) => name.toLowerCase().startsWith(wanted) || name.toLowerCase().split(' ').some((word) => word.startsWith(wanted)))
    .slice(0, MOST_PLACES)
    .map(({ path, name }) => ({ type: 'place', key: path, words: `Go to ${name}`, path }));
}

export function jumpsFor(found: readonly Found[]): Jump[] {
  return found.map(({ type, id, title, status }) => ({
    type, id, key: `${type} ${id}`, words: [title ?? id, ...(status === null ? [] : [status])].join(' · '),
  }));
}

/** Whether the server can find something by this text: it looks for ids and names, not for filters. */
export function canFind(text: string): boolean {
  const wanted = text.trim();
  return wanted.length >= 2 && wanted.length <= 255 && !/^[\w.-]+:/.test(wanted);
}
