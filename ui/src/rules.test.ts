// SPDX-License-Identifier: Apache-2.0
// Rules that every source file keeps.
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = import.meta.dirname;

const files = readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
  .filter((path) => ['.ts', '.tsx', '.css'].includes(extname(path)) && !path.endsWith('schema.d.ts') && path !== 'rules.test.ts')
  .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));

function offenders(pattern: RegExp, among: (path: string) => boolean = () => true): string[] {
  return files.filter(({ path, text }) => among(path) && pattern.test(text)).map(({ path }) => path);
}

describe('source files', () => {
  it('are found', () => {
    expect(files.length).toBeGreaterThan(30);
  });

  it('have at most 250 lines', () => {
    expect(files.filter(({ text }) => text.split('\n').length > 251).map(({ path }) => path)).toEqual([]);
  });

  it('never turn text into markup', () => {
    expect(offenders(/innerHTML|outerHTML\s*=|insertAdjacentHTML|document\.write|srcdoc/i)).toEqual([]);
  });

  it('have no style elements and no inline styles', () => {
    expect(offenders(/<style|style=\{/)).toEqual([]);
  });

  it('take colours of the page from tokens.css', () => {
    expect(offenders(/#[0-9a-f]{6}\b|#[0-9a-f]{3}\b(?!")/i, (path) => path.endsWith('.css') && path !== 'tokens.css')).toEqual([]);
  });

  it('name their licence in the first line', () => {
    expect(files.filter(({ text }) => !text.split('\n')[0]?.includes('SPDX-License-Identifier: Apache-2.0')).map(({ path }) => path))
      .toEqual([]);
  });
});

describe('the lock file', () => {
  type Package = { readonly version: string; readonly optionalDependencies?: Record<string, string> };
  const { packages } = JSON.parse(readFileSync(join(ROOT, '../package-lock.json'), 'utf8')) as { packages: Record<string, Package> };

  /** Without one of them, `npm ci` refuses the file on that platform. */
  it.each(['rolldown', 'lightningcss'])('has %s for every platform', (name) => {
    const wanted = Object.entries(packages[`node_modules/${name}`]?.optionalDependencies ?? {});
    expect(wanted.length).toBeGreaterThan(5);
    expect(wanted.filter(([platform, version]) => packages[`node_modules/${platform}`]?.version !== version)).toEqual([]);
  });

  it('names no server', () => {
    expect(JSON.stringify(packages)).not.toContain('"resolved"');
  });
});

describe('colours', () => {
  const tokens = readFileSync(join(ROOT, 'tokens.css'), 'utf8');
  const pairs = new Map([...tokens.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g)]
    .map(([, name = '', light = '', dark = '']) => [name, [light, dark]]));
  const states = ['waiting', 'pending', 'claimed', 'running', 'retry', 'paused', 'success', 'failure', 'canceled'];

  function luminance(hex: string): number {
    const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
      const part = parseInt(hex.slice(at, at + 2), 16) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  }

  function contrast(one: string, other: string, theme: number): number {
    const [a = 0, b = 0] = [one, other].map((name) => luminance(pairs.get(name)?.[theme] ?? '')).sort((x, y) => y - x);
    return (a + 0.05) / (b + 0.05);
  }

  const text = [...states.flatMap((state) => [[state, `${state}-chip`], [state, 'surface']]),
    ['text', 'surface'], ['text', 'bg'], ['text', 'raised'], ['muted', 'surface'], ['muted', 'bg'], ['muted', 'raised'],
    ['accent', 'surface'], ['accent', 'bg'], ['accent', 'pending-chip'], ['on-accent', 'accent']] as [string, string][];

  it.each(text)('%s on %s is readable in both themes', (one, other) => {
    expect(contrast(one, other, 0)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(one, other, 1)).toBeGreaterThanOrEqual(4.5);
  });

  it('edges of controls can be seen', () => {
    expect(contrast('control', 'surface', 0)).toBeGreaterThanOrEqual(3);
    expect(contrast('control', 'surface', 1)).toBeGreaterThanOrEqual(3);
  });
});
