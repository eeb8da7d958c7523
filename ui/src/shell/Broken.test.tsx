// SPDX-License-Identifier: Apache-2.0
// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { ApiError } from '../api/problem';
import { createDashboardRouter } from '../routes';
import '../pages/overview/OverviewPage';
import { brokenWords } from './Broken';

vi.mock('../pages/overview/Sentences', () => ({
  Sentences: () => {
    throw new Error('nodes.map is not a function');
  },
}));

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it('keeps the places and offers to reload when a page throws', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  vi.stubGlobal('fetch', async ({ url }: Request) =>
    Response.json(url.endsWith('/session') ? { asks: false, who: 'anyone', roles: ['admin'] } : {}));
  vi.stubGlobal('EventSource', class { addEventListener() {} close() {} });
  const router = createDashboardRouter(createMemoryHistory({ initialEntries: ['/ui/'] }));
  render(<QueryClientProvider client={new QueryClient()}><RouterProvider router={router} /></QueryClientProvider>);
  expect(await screen.findByText('This page does not work.')).toBeTruthy();
  expect(screen.getByText('The dashboard has made an error: nodes.map is not a function')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Reload' })).toBeTruthy();
  expect(screen.getByRole('link', { name: /Tasks/ })).toBeTruthy();
});

it.each([
  [new TypeError('Failed to fetch dynamically imported module: /ui/assets/a.js'), 'This page could not be loaded.'],
  [new ApiError(404, { detail: 'There is no such task.' }), 'Not found.'],
  [new TypeError('x is undefined'), 'This page does not work.'],
])('%s: %s', (error, title) => {
  expect(brokenWords(error).title).toBe(title);
});
