// SPDX-License-Identifier: Apache-2.0
// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createDashboardRouter } from '../../routes';

const HOSTILE = '<img src=x onerror=alert(1)>';
const NO_KEYS = { asks: false, who: 'anyone', roles: ['admin'] };
const ID = '0198c0de-1111-7222-8333-444455550913';

function row(changes: object) {
  const at = new Date().toISOString();
  return {
    id: ID, batch_id: ID, run: 0, kind: 'charge-card', name: 'order 913', status: 'Success', attempt: 0, epoch: 1,
    priority: 0, paused: false, losses: 0, allowed: [], created_at: at, run_at: at, last_updated: at, ...changes,
  };
}

const FACETS = { looked_at: 1, complete: true, status: { Failure: 214, RetryPending: 3, Success: 10_000 }, kind: [], error: [] };

let requests: string[];
let session: object;
let answer: () => Response;

beforeEach(() => {
  [requests, session] = [[], NO_KEYS];
  vi.stubGlobal('fetch', (request: Request) => {
    if (request.url.endsWith('/session')) return Promise.resolve(Response.json(session));
    // The counts of the side bar.
    if (request.url.endsWith('/overview')) return Promise.resolve(Response.json({}));
    if (request.url.includes('/task/facets')) return Promise.resolve(Response.json(FACETS));
    requests.push(request.url.replace(/^https?:\/\/[^/]+/, ''));
    return Promise.resolve().then(answer);
  });
  vi.stubGlobal('EventSource', class { addEventListener() {} close() {} });
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function tasks(rows: object[], headers: Record<string, string> = {}): () => Response {
  return () => Response.json(rows, { headers: { 'X-Total-Count': String(rows.length), ...headers } });
}

function open(address: string) {
  const router = createDashboardRouter(createMemoryHistory({ initialEntries: [address] }));
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(<QueryClientProvider client={client}><RouterProvider router={router} /></QueryClientProvider>);
  return router;
}

it('shows state, kind, name, attempt, failure and the next retry', async () => {
  answer = tasks([row({
    status: 'RetryPending', attempt: 2, failure_reason: HOSTILE, next_retry_at: new Date(Date.now() + 40.5 * 60_000).toISOString(),
    retry_canonical: { max_retries: 5, backoff: { type: 'exponential', initial: '1s' } },
  })]);
  open('/ui/tasks');
  const link = await screen.findByRole('link', { name: 'order 913' });
  expect(link.getAttribute('href')).toBe(`/ui/tasks/${ID}`);
  const cells = [...(link.closest('tr')?.cells ?? [])].map((cell) => cell.textContent);
  expect(cells.slice(1, 6)).toEqual(['Retry pending', 'charge-card', 'order 913', '3 of 6', HOSTILE]);
  expect(cells[6]).toMatch(/^in 4[01] min$/);
  expect(document.querySelector('img')).toBeNull();
});

it('asks the server with the filters of the URL, and shows them as chips', async () => {
  answer = tasks([]);
  const router = open('/ui/tasks?status=Failure&kind=charge&q=503');
  expect(await screen.findByText('No task matches.')).toBeTruthy();
  expect(new URLSearchParams(requests[0]?.split('?')[1]).toString())
    .toBe('status=Failure&kind=charge&q=503&page_size=50');
  fireEvent.click(screen.getByRole('button', { name: 'Remove filter kind: charge' }));
  await waitFor(() => expect(router.state.location.href).toBe('/tasks?status=Failure&q=503'));
});

it('pages by the Link header', async () => {
  answer = tasks([row({})], { Link: '</task?page_size=50&after=c1>; rel="next"' });
  open('/ui/tasks?kind=charge');
  fireEvent.click(await screen.findByRole('link', { name: 'Older ›' }));
  expect(await screen.findByRole('link', { name: '‹ Newest' })).toBeTruthy();
  expect(requests.at(-1)).toContain('after=c1');
  expect(requests.at(-1)).toContain('kind=charge');
});

it('says how to submit the first task', async () => {
  answer = tasks([]);
  open('/ui/tasks');
  expect(await screen.findByText('No tasks yet.')).toBeTruthy();
});

it.each([
  [503, 'The server is too busy or cannot reach its database. The store is away.'],
  [502, 'The server does not answer.'],
  [403, 'Your key does not allow this.'],
  [418, 'The server answered with an error (418).'],
])('says what %d means', async (status, words) => {
  answer = () => Response.json({ detail: ' The store is away.' }, { status });
  open('/ui/tasks');
  expect((await screen.findByRole('alert')).textContent).toContain(words);
});

it('says that the server does not answer, until it does', async () => {
  answer = () => { throw new TypeError('Failed to fetch'); };
  open('/ui/tasks');
  expect((await screen.findByRole('alert')).textContent).toContain('The server does not answer.');
  expect(screen.getByRole('status').textContent).toMatch(/^No answer from the server\. What you see is from \d\d:\d\d:\d\d\.$/);
  answer = tasks([row({})]);
  fireEvent.click(within(screen.getByRole('main')).getByRole('button', { name: 'Try now' }));
  await screen.findByRole('link', { name: 'order 913' });
  expect(screen.queryByRole('status')).toBeNull();
});

it('goes to a place by keys', async () => {
  answer = tasks([]);
  const router = open('/ui/nowhere');
  await screen.findByText('There is no such page.');
  fireEvent.keyDown(document.body, { key: 'g' });
  fireEvent.keyDown(document.body, { key: 't' });
  await waitFor(() => expect(router.state.location.pathname).toBe('/tasks'));
});

it('counts the states under the filter', async () => {
  answer = tasks([row({})]);
  open('/ui/tasks?kind=charge');
  const failure = await screen.findByRole('link', { name: 'Failure 214' });
  expect(failure.getAttribute('href')).toBe('/ui/tasks?status=Failure&kind=charge');
  expect(screen.getByRole('link', { name: 'Success 10,000+' })).toBeTruthy();
});

it('selects by keys, and offers all that match only for a filter that the action understands', async () => {
  answer = tasks([row({})]);
  open('/ui/tasks?status=Failure');
  const link = await screen.findByRole('link', { name: 'order 913' });
  link.focus();
  fireEvent.keyDown(link, { key: 'x' });
  expect((await screen.findByRole('region', { name: 'Selected tasks' })).textContent).toContain('1 selected');
  fireEvent.click(screen.getByRole('button', { name: 'Select all 1 that match' }));
  expect(screen.getByRole('region', { name: 'Selected tasks' }).textContent).toContain('All 1 that match');
  fireEvent.keyDown(link, { key: 'Escape' });
  expect(screen.queryByRole('region', { name: 'Selected tasks' })).toBeNull();
});

it('does not offer all that match for a part of a kind', async () => {
  answer = tasks([row({})]);
  open('/ui/tasks?kind=charge');
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Select order 913' }));
  expect(screen.queryByRole('button', { name: /^Select all/ })).toBeNull();
  expect(screen.getByText('To select all that match, filter by the whole kind.')).toBeTruthy();
});

it('says how far it looked', async () => {
  answer = tasks([], { Link: '</task?after=c1>; rel="next"', 'X-Looked-At': '50000', 'X-Reached': new Date().toISOString() });
  open('/ui/tasks?q=nothing');
  expect((await screen.findByRole('link', { name: 'Keep looking' })).getAttribute('href')).toBe('/ui/tasks?q=nothing&after=c1');
});

it('shows an instant at which it stopped looking, and totals that are not exact', async () => {
  answer = tasks([row({})], { 'X-Total-Count': '214', 'X-Total-Exact': 'false', 'X-Looked-At': '50000', 'X-Reached': new Date().toISOString() });
  open('/ui/tasks?status=Failure');
  expect(await screen.findByText('214+ tasks')).toBeTruthy();
  expect(document.body.textContent).toMatch(/Looked through the newest 50,000 tasks, back to \d\d:\d\d\./);
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select order 913' }));
  expect(screen.getByRole('button', { name: 'Select all 214+ that match' })).toBeTruthy();
});

it('keeps order and columns in the address', async () => {
  answer = tasks([row({})]);
  const router = open('/ui/tasks?status=Failure');
  await screen.findByRole('link', { name: 'order 913' });
  fireEvent.change(screen.getByRole('combobox', { name: 'Sort' }), { target: { value: '-ended_at' } });
  await waitFor(() => expect(requests.at(-1)).toContain('sort=-ended_at'));
  fireEvent.click(screen.getByRole('button', { name: 'Columns' }));
  fireEvent.click(await screen.findByRole('menuitemcheckbox', { name: 'Failure' }));
  await waitFor(() => expect(router.state.location.href).toBe('/tasks?status=Failure&sort=-ended_at&columns=state,kind,attempt,next,age'));
  expect(screen.queryByRole('columnheader', { name: 'Failure' })).toBeNull();
});

it('acts on the focused row by keys, and asks before it cancels', async () => {
  answer = tasks([row({ status: 'RetryPending', allowed: ['retry_now', 'pause', 'cancel'] })]);
  open('/ui/tasks');
  const link = await screen.findByRole('link', { name: 'order 913' });
  link.focus();
  fireEvent.keyDown(link, { key: 'r' });
  await waitFor(() => expect(requests).toContain(`/task/${ID}/retry`));
  fireEvent.keyDown(link, { key: 'p' });
  await waitFor(() => expect(requests).toContain(`/task/pause/${ID}`));
  fireEvent.keyDown(link, { key: 'c' });
  expect(await screen.findByRole('button', { name: 'Cancel 1 task' })).toBeTruthy();
  expect(requests).not.toContain(`/task/${ID}`);
});

it('opens the menu of the focused row', async () => {
  answer = tasks([row({ status: 'Failure', allowed: ['revive'] })]);
  open('/ui/tasks');
  const link = await screen.findByRole('link', { name: 'order 913' });
  link.focus();
  fireEvent.keyDown(link, { key: '.' });
  const items = (await screen.findAllByRole('menuitem')).map((item) => item.textContent);
  expect(items).toEqual(['Revive…', 'Copy id']);
});

it('offers nothing to select or do to those who may only read', async () => {
  session = { ...NO_KEYS, roles: ['read'] };
  answer = tasks([row({ allowed: ['revive'] })]);
  open('/ui/tasks?status=Failure');
  const link = await screen.findByRole('link', { name: 'order 913' });
  link.focus();
  for (const key of ['x', 'a', 'r', 'c', 'p']) fireEvent.keyDown(link, { key });
  expect(screen.queryByRole('checkbox')).toBeNull();
  expect(screen.queryByRole('region', { name: 'Selected tasks' })).toBeNull();
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('adds a filter by a metadata field', async () => {
  answer = tasks([row({})]);
  const router = open('/ui/tasks');
  await screen.findByRole('link', { name: 'order 913' });
  fireEvent.keyDown(document.body, { key: 'f' });
  fireEvent.change(screen.getByRole('combobox', { name: 'Field' }), { target: { value: 'metadata' } });
  fireEvent.change(screen.getByRole('textbox', { name: 'Metadata field' }), { target: { value: 'tenant' } });
  fireEvent.change(screen.getByRole('combobox', { name: 'Value' }), { target: { value: '7' } });
  fireEvent.click(screen.getByRole('button', { name: 'Add' }));
  await waitFor(() => expect(router.state.location.search).toEqual({ metadata: '{"tenant":7}' }));
});
