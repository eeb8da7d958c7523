// SPDX-License-Identifier: Apache-2.0
// @vitest-environment happy-dom
import { act, cleanup, render } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { prefer } from './preferences';
import { useKeys, usePageKeys } from './useKeys';

const run = vi.fn();

function Page({ children }: { readonly children?: React.ReactNode }) {
  useKeys([
    { key: 'x', words: 'Select', run },
    { key: 'j', words: 'Next', run, repeats: true }, { key: 'ArrowDown', words: 'Next', run, repeats: true },
  ]);
  return <>{children}<p>{usePageKeys().map(({ keys, words }) => `${keys}: ${words}`).join(', ')}</p></>;
}

/** Whether the page took the key. */
function press(key: string, more: KeyboardEventInit = {}, target: EventTarget = document.body): boolean {
  run.mockClear();
  act(() => void target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more })));
  return run.mock.calls.length > 0;
}

afterEach(() => {
  cleanup();
  prefer({ singleKeys: true });
});

it('takes the keys of the page, and no others', () => {
  render(<Page />);
  expect(press('x')).toBe(true);
  expect(press('y')).toBe(false);
  expect(press('x', { ctrlKey: true })).toBe(false);
  expect(press('x', { repeat: true })).toBe(false);
  expect(press('j', { repeat: true })).toBe(true);
});

it('takes no single key once they are switched off, but arrows', () => {
  render(<Page />);
  prefer({ singleKeys: false });
  expect(press('x')).toBe(false);
  expect(press('j')).toBe(false);
  expect(press('ArrowDown')).toBe(true);
});

it('leaves keys to fields, but not to checkboxes', () => {
  const { container } = render(<Page><input /><input type="checkbox" /><textarea /></Page>);
  const [field, checkbox, area] = container.querySelectorAll('input, textarea');
  expect(press('x', {}, field)).toBe(false);
  expect(press('x', {}, area)).toBe(false);
  expect(press('x', {}, checkbox)).toBe(true);
});

it.each(['dialog', 'alertdialog', 'menu'])('leaves keys to an open %s', (role) => {
  render(<Page><div role={role} /></Page>);
  expect(press('x')).toBe(false);
});

it('leaves keys to whoever took them first', () => {
  const { container } = render(<Page><button type="button" onKeyDown={(event) => event.preventDefault()} /></Page>);
  expect(press('x', {}, container.querySelector('button') ?? undefined)).toBe(false);
});

it('lists the keys while the page is shown', () => {
  const { container, unmount } = render(<Page />);
  expect(container.textContent).toBe('x: Select, j ↓: Next');
  unmount();
  function Other() {
    return <p>{usePageKeys().length}</p>;
  }
  expect(render(<Other />).container.textContent).toBe('0');
});
