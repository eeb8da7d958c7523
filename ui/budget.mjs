// SPDX-License-Identifier: Apache-2.0
// Fails if the built files are larger than their budget. Sizes are gzipped.
import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const FIRST_PAGE = 230_000;
const LAZY_PART = 150_000;

const dist = new URL('dist/', import.meta.url);
const sizeOf = (path) => gzipSync(readFileSync(new URL(path, dist)), { level: 9 }).length;
const shell = readFileSync(new URL('index.html', dist), 'utf8');
const first = [...shell.matchAll(/(?:src|href)="\/ui\/(assets\/[^"]+)"/g)].map(([, path]) => path);
const lazy = readdirSync(new URL('assets/', dist)).map((name) => `assets/${name}`).filter((path) => !first.includes(path));

const total = sizeOf('index.html') + first.reduce((sum, path) => sum + sizeOf(path), 0);
const tooLarge = lazy.filter((path) => sizeOf(path) > LAZY_PART);
console.log(`First page: ${total} of ${FIRST_PAGE} bytes gzipped, in ${first.length + 1} files.`);
if (first.length === 0) throw new Error('index.html names no files of dist/assets.');
if (total > FIRST_PAGE) throw new Error(`The first page has ${total} bytes; the budget is ${FIRST_PAGE}.`);
if (tooLarge.length > 0) throw new Error(`Larger than ${LAZY_PART} bytes: ${tooLarge.join(', ')}.`);
