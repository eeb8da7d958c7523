// SPDX-License-Identifier: Apache-2.0
// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createDashboardRouter } from '../../routes';
// Loaded here, since loading it takes longer than a test waits.
import './DeadPage';
import { restore } from './dismissed';

const ID = '0198c0de-1111-7222-8333-444455550913';
const ERROR = '9f2c41d07be3a815';

function group(changes: object = {}) {
  return {
    error: ERROR, title: 'card ‹n› declined', failure_kind: 'exception', status: null, code: null, give_up_reasons: { exhausted: 21 },
    kinds: [{ kind: 'charge-card', count: 21 }], count: 21, capped: false, first_at: '2026-11-16T02:02:00Z',
    last_at: '2026-11-16T02:09:00Z', spark: [0, 21], sample: { task: ID, message: 'card 913 declined' }, ...changes,
  };
}

function task() {
  const at = new Date().toISOString();
  return {
    id: ID, batch_id: ID, run: 0, kind: 'charge-card', name: 'order 913', status: 'Failure', attempt: 3, epoch: 4, priority: 0,
    paused: false, losses: 0, created_at: at, run_at: at, ended_at: at, last_updated: at, failure_reason: 'card 913 declined', allowed: ['revive'],
  };
}

const DELIVERY = {
  id: ID, task_id: ID, batch_id: ID, trigger: 'on_failure', state: 'dead', attempt: 4, task_attempt: 0, created_at: '2026-11-16T02:00:00Z',
  ended_at: '2026-11-16T02:09:00Z', last_updated: '2026-11-16T02:09:00Z', failure_status: 503, failure_reason: 'too busy',
  action: { kind: 'Webhook', params: { verb: 'Post', url: 'https://pay.example/…' } },
};

const DELIVERY_GROUP = {
  host: 'pay.example', status: 503, failure_kind: 'http', count: 140, capped: false, first_at: '2026-11-16T02:02:00Z',
  last_at: '2026-11-16T02:09:00Z', sample: { id: ID, task_id: ID, message: 'upstream too busy' },
};

let requests: string[];
let groups: object[];
let older: object[] | null;
let deliveries: object[];
let roles: string[];

beforeEach(() => {
  older = null;
  [requests, groups, deliveries, roles] = [[], [group()], [DELIVERY], ['admin']];
  vi.stubGlobal('fetch', async (request: Request) => {
    const path = request.url.replace(/^https?:\/\/[^/]+/, '');
    requests.push(`${request.method} ${path} ${await request.text()}`.trim());
    if (path === '/session') return Response.json({ asks: true, who: 'someone', roles });
    if (path.startsWith('/error')) return Response.json(path.includes('since=366d') && older ? older : groups);
    if (path.startsWith('/delivery/group')) return Response.json([DELIVERY_GROUP]);
    if (path === '/delivery/bulk') return Response.json({ action: 'redeliver', dry_run: true, matched: 140, changed: 140, skipped: 0, next: null });
    if (path.startsWith('/delivery')) return Response.json(request.method === 'GET' ? deliveries : DELIVERY);
    if (path === '/task/bulk') {
      return Response.json({ action: 'retry', dry_run: true, matched: 21, changed: 21, skipped: 0, reached: null, next: null, by_status: { Failure: 21 }, example: null, wave: null });
    }
    return Response.json([task()]);
  });
  vi.stubGlobal('EventSource', class { addEventListener() {} close() {} });
});

afterEach(() => {
  cleanup();
  restore([`error ${ERROR}`]);
  vi.unstubAllGlobals();
});

function open(address: string) {
  const router = createDashboardRouter(createMemoryHistory({ initialEntries: [address] }));
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(<QueryClientProvider client={client}><RouterProvider router={router} /></QueryClientProvider>);
  return router;
}

it('shows groups with their kinds, reason and count', async () => {
  open('/ui/dead?since=7d');
  expect(await screen.findByRole('heading', { name: 'card ‹n› declined' })).toBeTruthy();
  expect(screen.getByText('21 tasks')).toBeTruthy();
  expect(screen.getByText('charge-card 21 · exhausted')).toBeTruthy();
  expect((await screen.findByRole('link', { name: 'Tasks 21' })).getAttribute('aria-current')).toBe('page');
  expect((await screen.findByRole('link', { name: 'Deliveries 1' })).getAttribute('href')).toBe('/ui/dead?since=7d&tab=deliveries');
  expect(requests).toContain('GET /error?state=Failure&since=7d&by=error');
});

it('keeps the grouping in the address', async () => {
  const router = open('/ui/dead');
  await screen.findByRole('heading', { name: 'card ‹n› declined' });
  fireEvent.change(screen.getByRole('combobox', { name: 'group by' }), { target: { value: 'kind' } });
  expect(await screen.findByRole('heading', { name: 'charge-card' })).toBeTruthy();
  expect(router.state.location.href).toBe('/dead?by=kind');
});

it('opens to the whole message and the newest tasks of the error', async () => {
  open('/ui/dead');
  fireEvent.click(await screen.findByRole('button', { name: 'Newest tasks of card ‹n› declined' }));
  const link = await screen.findByRole('link', { name: 'order 913' });
  expect(link.getAttribute('href')).toBe(`/ui/tasks/${ID}`);
  expect(screen.getAllByText('card 913 declined').some((one) => one.closest('pre'))).toBe(true);
  expect(requests.find((one) => one.startsWith('GET /task?'))).toMatch(new RegExp(`error=${ERROR}&ended_after=.*&sort=-ended_at&page_size=10$`));
});

it('previews what reviving a group would do', async () => {
  open('/ui/dead');
  fireEvent.click(await screen.findByRole('button', { name: 'Revive card ‹n› declined…' }));
  expect(await screen.findByRole('button', { name: /21 tasks$/ })).toBeTruthy();
  const sent = requests.find((one) => one.startsWith('POST /task/bulk')) ?? '';
  expect(JSON.parse(sent.slice('POST /task/bulk '.length))).toMatchObject({ action: 'retry', dry_run: true, filter: { status: 'Failure', error: ERROR } });
});

it('dismisses a group until it grows', async () => {
  open('/ui/dead');
  fireEvent.click(await screen.findByRole('button', { name: 'Dismiss card ‹n› declined' }));
  expect(await screen.findByText('You have dismissed all groups.')).toBeTruthy();
  cleanup();
  groups = [group({ last_at: '2026-11-16T02:10:00Z' })];
  open('/ui/dead');
  expect(await screen.findByRole('heading', { name: 'card ‹n› declined' })).toBeTruthy();
});

it('shows no actions to those who may only read', async () => {
  roles = ['read'];
  open('/ui/dead');
  await screen.findByRole('heading', { name: 'card ‹n› declined' });
  expect(screen.queryByRole('button', { name: /^Revive/ })).toBeNull();
  fireEvent.click(screen.getByRole('link', { name: /^Deliveries/ }));
  expect(await screen.findByRole('heading', { name: 'pay.example · HTTP 503' })).toBeTruthy();
  await screen.findByText('HTTP 503: too busy');
  expect(screen.queryByRole('button', { name: /^Redeliver/ })).toBeNull();
  expect(screen.queryByRole('checkbox')).toBeNull();
});

it('says that there is nothing', async () => {
  [groups, deliveries] = [[], []];
  open('/ui/dead?since=366d');
  expect(await screen.findByText('No dead letters.')).toBeTruthy();
  fireEvent.click(screen.getByRole('link', { name: /^Deliveries/ }));
  expect(await screen.findByText('No webhook has been given up.')).toBeTruthy();
});

it('redelivers one', async () => {
  open('/ui/dead?tab=deliveries');
  expect(await screen.findByText('HTTP 503: too busy')).toBeTruthy();
  expect(screen.getByRole('link', { name: /^Tasks \d/ }).getAttribute('aria-current')).toBeNull();
  fireEvent.click(await screen.findByRole('button', { name: 'Redeliver to POST https://pay.example/…' }));
  await vi.waitFor(() => expect(requests).toContain(`POST /delivery/${ID}/redeliver`));
});

it('redelivers a group, spread over some time', async () => {
  open('/ui/dead?tab=deliveries&since=7d');
  expect(await screen.findByRole('heading', { name: 'pay.example · HTTP 503' })).toBeTruthy();
  expect(requests).toContain('GET /delivery/group?since=7d');
  fireEvent.click(screen.getByRole('button', { name: 'Message of pay.example · HTTP 503' }));
  expect(screen.getByText('upstream too busy')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Redeliver pay.example · HTTP 503…' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Redeliver 140 deliveries' }));
  expect(await screen.findByText('140 deliveries will be sent again.')).toBeTruthy();
  const sent = requests.filter((one) => one.startsWith('POST /delivery/bulk')).map((one) => JSON.parse(one.slice('POST /delivery/bulk '.length)));
  const filter = { state: 'dead', host: 'pay.example', status: 503, failure_kind: 'http', since: '7d' };
  expect(sent).toEqual([{ action: 'redeliver', filter, dry_run: true }, { action: 'redeliver', filter, dry_run: false, spread: '10m' }]);
});

it('redelivers some', async () => {
  open('/ui/dead?tab=deliveries');
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Select POST https://pay.example/…' }));
  fireEvent.click(screen.getByRole('button', { name: 'Redeliver 1 delivery…' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Redeliver 1 delivery' }));
  expect(await screen.findByText('1 delivery will be sent again.')).toBeTruthy();
  expect(requests).toContain(`POST /delivery/${ID}/redeliver`);
});

it('links to older failures if there are none lately', async () => {
  groups = [];
  older = [group()];
  open('/ui/dead?since=1h');
  expect(await screen.findByText('No dead letters in the last 1 h.')).toBeTruthy();
  expect((await screen.findByRole('link', { name: 'Show the 21 of the last year' })).getAttribute('href')).toBe('/ui/dead?since=366d');
});

it('moves between groups by keys, and opens and revives the focused one', async () => {
  open('/ui/dead');
  await screen.findByRole('heading', { name: 'card ‹n› declined' });
  fireEvent.keyDown(document.body, { key: 'j' });
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Newest tasks of card ‹n› declined');
  fireEvent.keyDown(document.body, { key: 'r' });
  expect(await screen.findByRole('button', { name: /21 tasks$/ })).toBeTruthy();
});
