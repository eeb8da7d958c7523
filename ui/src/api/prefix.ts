// SPDX-License-Identifier: Apache-2.0

const META = 'meta[name="perdure-prefix"]';

/** The path that a proxy puts before ours, such as `/jobs`. The server writes it into the page. */
export const PREFIX = typeof document === 'undefined' ? '' : document.querySelector<HTMLMetaElement>(META)?.content ?? '';

/** The path of the dashboard itself. */
export const BASE_PATH = `${PREFIX}/ui`;
