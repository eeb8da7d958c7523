// SPDX-License-Identifier: Apache-2.0
// @vitest-environment happy-dom
import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { Badge } from './Badge';
import { STATES } from './states';

afterEach(cleanup);

it.each(STATES)('%s has an icon, a word and a colour', (state) => {
  const { container } = render(<Badge state={state} />);
  const badge = container.querySelector(`[data-state=${state}]`);
  expect(badge?.textContent).toBe(state === 'RetryPending' ? 'Retry pending' : state);
  expect(badge?.querySelector('svg')?.getAttribute('aria-hidden')).toBe('true');
  expect(badge?.className.trim().split(/\s+/)).toHaveLength(2);
});

it('gives every state its own icon', () => {
  const drawings = STATES.map((state) => render(<Badge state={state} />).container.querySelector('svg')?.outerHTML);
  expect(new Set(drawings).size).toBe(STATES.length);
});
