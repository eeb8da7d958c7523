// SPDX-License-Identifier: Apache-2.0
// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { cleanup, configure, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createDashboardRouter } from '../../routes';
// Loaded here, since loading them takes longer than a test waits.
import './RetriesPage';

configure({ asyncUtilTimeout: 5_000 });

const ID = '0198c0de-1111-7222-8333-444455550913';

function retry() {
  const at = new Date().toISOString();
  return {
    id: ID, batch_id: ID, run: 0, kind: 'book-court', name: 'Tuesday', status: 'RetryPending', attempt: 3, epoch: 1,
    priority: 0, paused: false, losses: 0, created_at: at, run_at: at, last_updated: at, failure_code: 'no_slots', allowed,
    next_retry_at: new Date(Date.now() + 300_000).toISOString(), badge: 'attempt 3/5, step 1/3',
    retry_canonical: { max_retries: null, backoff: { type: 'ladder', steps: [] } },
    current_step: 1, steps: 3, attempts_in_step: 3, total_attempts: 3,
  };
}

function wave() {
  const from = new Date(Math.floor(Date.now() / 60_000) * 60_000).toISOString();
  const counts = Array.from({ length: 60 }, (_, i) => (i === 5 ? 4 : 0));
  return { now: new Date().toISOString(), from, step_ms: 60_000, overdue: 0, later: 0, estimated: false, counts, peak: null, by_kind: null };
}

const STATISTICS = {
  pending: 4, due: 1, exhausted: 214, success_rate: 83.2, average_delay_ms: 252_000, by_kind: { 'book-court': 4 }, by_strategy: { ladder: 4 },
};

let requests: string[];
let bulk: unknown[];
let allowed: string[];
let roles: string[];

beforeEach(() => {
  bulk = [];
  [requests, allowed, roles] = [[], ['retry_now', 'cancel'], ['operate']];
  vi.stubGlobal('fetch', async (request: Request) => {
    const path = request.url.replace(/^https?:\/\/[^/]+/, '');
    requests.push(`${request.method} ${path}`);
    if (path === '/session') return Response.json({ asks: true, who: 'someone', roles });
    if (path === '/task/bulk') {
      bulk.push(await request.json());
      return Response.json({ action: 'retry', dry_run: true, matched: 4, changed: 4, skipped: 0, reached: null, next: null, by_status: { RetryPending: 4 }, example: null, wave: null });
    }
    if (path.startsWith('/retry/wave')) return Response.json(wave());
    if (path.startsWith('/retry/stats')) return Response.json(STATISTICS);
    return Response.json(path.startsWith('/retry') ? [retry()] : {}, { headers: { 'X-Total-Count': '1', 'X-Total-Exact': 'false' } });
  });
  vi.stubGlobal('EventSource', class { addEventListener() {} close() {} });
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function open(address: string) {
  const router = createDashboardRouter(createMemoryHistory({ initialEntries: [address] }));
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(<QueryClientProvider client={client}><RouterProvider router={router} /></QueryClientProvider>);
  return router;
}

it('shows what comes, what waits and how retries have fared', async () => {
  open('/ui/retries');
  expect(await screen.findByRole('img', { name: /^4 retries come in the next hour\. The most, 4, come at \d\d:\d\d\.$/ })).toBeTruthy();
  const link = await screen.findByRole('link', { name: 'Tuesday' });
  const cells = [...(link.closest('tr')?.cells ?? [])].map((cell) => cell.textContent);
  expect(cells[0]).toBe('in 5 min');
  expect(cells.slice(3, 5)).toEqual(['attempt 3/5, step 1/3', 'no_slots']);
  expect(screen.getByText('83.2 % of tasks with a retry succeeded · average delay 4 min 12 s · 214 exhausted')).toBeTruthy();
});

it('keeps window and kind in the address', async () => {
  const router = open('/ui/retries?window=day&kind=book-court');
  await screen.findByRole('link', { name: 'Tuesday' });
  expect(requests).toContain('GET /retry/wave?window=day&kind=%3Dbook-court');
  expect(requests).toContain('GET /retry?kind=%3Dbook-court&page_size=50');
  fireEvent.click(screen.getByRole('radio', { name: '14 days' }));
  await vi.waitFor(() => expect(router.state.location.href).toBe('/retries?window=fortnight&kind=book-court'));
});

it('chooses a part of the window by keys', async () => {
  const router = open('/ui/retries');
  const chart = await screen.findByRole('group', { name: /Arrow keys/ });
  for (const key of ['Home', 'ArrowRight']) fireEvent.keyDown(chart, { key });
  fireEvent.keyDown(chart, { key: 'ArrowRight', shiftKey: true });
  fireEvent.keyDown(chart, { key: 'Enter' });
  await vi.waitFor(() => expect(router.state.location.search).toHaveProperty('from'));
  const { from = '', to = '' } = router.state.location.search as { from?: string; to?: string };
  expect(Date.parse(to) - Date.parse(from)).toBe(120_000);
  fireEvent.click(await screen.findByRole('button', { name: 'Show all' }));
  await vi.waitFor(() => expect(router.state.location.search).not.toHaveProperty('from'));
});

it('retries one now', async () => {
  open('/ui/retries');
  fireEvent.click(await screen.findByRole('button', { name: 'Retry Tuesday now' }));
  await vi.waitFor(() => expect(requests).toContain(`POST /task/${ID}/retry`));
});

it('shows no actions to those who may only read, nor what the task does not allow', async () => {
  roles = ['read'];
  open('/ui/retries');
  await screen.findByRole('link', { name: 'Tuesday' });
  expect(screen.queryByRole('button', { name: /Tuesday/ })).toBeNull();
  expect(screen.queryByText('Actions')).toBeNull();
  cleanup();
  [roles, allowed] = [['operate'], ['cancel']];
  open('/ui/retries');
  await screen.findByRole('button', { name: 'Cancel Tuesday' });
  expect(screen.queryByRole('button', { name: 'Retry Tuesday now' })).toBeNull();
});

it('says that there may be more than were counted', async () => {
  open('/ui/retries');
  expect(await screen.findByText('1+')).toBeTruthy();
});

it('spreads the retries of a part', async () => {
  const from = wave().from;
  const to = new Date(Date.parse(from) + 600_000).toISOString();
  open(`/ui/retries?kind=book-court&from=${from}&to=${to}`);
  fireEvent.click(await screen.findByRole('button', { name: 'Spread these 4 over' }));
  await screen.findByRole('button', { name: 'Retry 4 tasks' });
  const filter = { status: 'RetryPending', due_after: new Date(Date.parse(from) - 1).toISOString(), due_before: to, kind: '=book-court' };
  await vi.waitFor(() => expect(bulk).toContainEqual({ action: 'retry', filter, dry_run: true, spread: '30m' }));
});

it('asks before it cancels', async () => {
  open('/ui/retries');
  fireEvent.click(await screen.findByRole('button', { name: 'Cancel Tuesday' }));
  expect(requests.some((one) => one.startsWith('DELETE'))).toBe(false);
  fireEvent.click(await screen.findByRole('button', { name: 'Cancel the task' }));
  await vi.waitFor(() => expect(requests).toContain(`DELETE /task/${ID}`));
});

it('moves and acts by keys, but goes to a place with g r', async () => {
  open('/ui/retries');
  const link = await screen.findByRole('link', { name: 'Tuesday' });
  fireEvent.keyDown(document.body, { key: 'j' });
  expect(document.activeElement).toBe(link);
  for (const key of ['g', 'r', 'r']) fireEvent.keyDown(link, { key });
  await vi.waitFor(() => expect(requests).toContain(`POST /task/${ID}/retry`));
  expect(requests.filter((one) => one.startsWith('POST'))).toHaveLength(1);
});
