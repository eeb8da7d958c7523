// SPDX-License-Identifier: Apache-2.0
// Single keys and the two-key sequences that begin with `g`.

export type Command = 'search' | 'help' | 'theme' | 'sidebar' | 'live' | `go ${string}`;

/** How long `g` waits for its second key. */
const SEQUENCE_MS = 1_500;

const SINGLE: Readonly<Record<string, Command>> = {
  '/': 'search', '?': 'help', t: 'theme', '[': 'sidebar', l: 'live',
};

export interface KeyPress {
  readonly key: string;
  readonly at: number;
  /** Ctrl, Alt or Meta is held: the key belongs to the browser. */
  readonly modified: boolean;
  /** The focus is in a field: the key is text. */
  readonly typing: boolean;
}

/** Turns key presses into commands. */
export class KeyReader {
  readonly #places: ReadonlySet<string>;
  #goAt = -Infinity;

  constructor(places: Iterable<string>) {
    this.#places = new Set(places);
  }

  press({ key, at, modified, typing }: KeyPress): Command | null {
    if (modified || typing) return this.#reset();
    if (at - this.#goAt <= SEQUENCE_MS) {
      this.#goAt = -Infinity;
      return this.#places.has(key) ? `go ${key}` : null;
    }
    if (key !== 'g') return SINGLE[key] ?? null;
    this.#goAt = at;
    return null;
  }

  #reset(): null {
    this.#goAt = -Infinity;
    return null;
  }
}

/** Inputs that are switched or pressed, not written into. */
const SWITCHES: ReadonlySet<string> = new Set(['checkbox', 'radio', 'button', 'submit', 'reset']);

/** Whether keys are text for this element. */
export function takesText(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !SWITCHES.has(target.type);
  return target.isContentEditable || ['TEXTAREA', 'SELECT'].includes(target.tagName);
}

/**
 * Whether a dialog or a menu is open: keys are for it, not for the page behind it. A message about
 * what was done is a dialog too, but not a modal one.
 */
export function isCovered(): boolean {
  return document.querySelector('[role$=dialog]:not([aria-modal=false]), [role=menu]') !== null;
}
