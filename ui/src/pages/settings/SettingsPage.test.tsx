// SPDX-License-Identifier: Apache-2.0
// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createDashboardRouter } from '../../routes';
import { prefer } from '../../shell/preferences';
// Loaded here, since loading it takes longer than a test waits.
import './SettingsPage';

const AT = '2026-11-16T02:00:00Z';
const KEY = { id: '4n9q0a2kx71b', name: 'ci', roles: ['submit'], live: true, created_at: AT, expires_at: null, last_used_at: null, revoked_at: null };
const NODES = {
  name: 'api-1', version: '0.2.0', started_at: AT,
  nodes: [{ id: 'n1', name: 'api-1', version: '0.2.0', joined_at: AT, seen_at: AT, state: 'late', slots: { busy: 32, of: 64 }, kinds: ['mail'], held: 3 }],
};
const SETTINGS = [
  { name: 'port', value: '8085', source: 'flag', secret: false, text: 'The port' },
  { name: 'secrets_key', value: 'set', source: 'environment', secret: true, text: 'Encrypts webhooks' },
  { name: 'bind', value: '127.0.0.1', source: 'default', secret: false, text: 'The address' },
];
const AUDIT = [{ number: 42, at: AT, who: 'ops', key: null, action: 'resolve', subject: 'a-task', detail: { reason: 'paid by hand' } }];

let requests: string[];
let known: object;

beforeEach(() => {
  [requests, known] = [[], { asks: true, who: 'someone', roles: ['admin'] }];
  vi.stubGlobal('fetch', async (request: Request) => {
    const path = request.url.replace(/^https?:\/\/[^/]+/, '');
    requests.push(`${request.method} ${path} ${await request.text()}`.trim());
    if (path === '/session') return request.method === 'GET' ? Response.json(known) : new Response(null, { status: 204 });
    if (path === '/node') return Response.json(NODES);
    if (path === '/config') return Response.json(SETTINGS);
    if (path.startsWith('/audit')) return Response.json(AUDIT, { headers: { Link: '</audit?after=41>; rel="next"' } });
    if (request.method === 'POST') return Response.json({ ...KEY, key: 'pk_4n9q0a2kx71b_secret' }, { status: 201 });
    return Response.json(request.method === 'GET' ? [KEY] : KEY);
  });
  vi.stubGlobal('EventSource', class { addEventListener() {} close() {} });
});

afterEach(() => {
  cleanup();
  prefer({ singleKeys: true, density: 'compact' });
  vi.unstubAllGlobals();
});

function open(address: string) {
  const router = createDashboardRouter(createMemoryHistory({ initialEntries: [address] }));
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(<QueryClientProvider client={client}><RouterProvider router={router} /></QueryClientProvider>);
  return router;
}

it('shows nodes with their state in words and their slots', async () => {
  open('/ui/settings');
  expect(await screen.findByText('Late')).toBeTruthy();
  expect(screen.getByText('32 of 64')).toBeTruthy();
  expect(screen.getByText('One node. Start another with the same DATABASE_URL, on PostgreSQL.')).toBeTruthy();
});

it('shows only changed settings', async () => {
  open('/ui/settings?tab=configuration');
  expect(await screen.findByText('bind')).toBeTruthy();
  fireEvent.click(screen.getByRole('checkbox', { name: 'only changed settings' }));
  expect(screen.queryByText('bind')).toBeNull();
  expect(screen.getByText('secrets_key')).toBeTruthy();
});

it.each(['configuration', 'keys', 'audit'])('tells a reader in words that %s is for others, and does not ask for it', async (tab) => {
  known = { asks: true, who: 'reader', roles: ['read'] };
  open(`/ui/settings?tab=${tab}`);
  expect(await screen.findByText(/^Your key may not /)).toBeTruthy();
  expect(requests.filter((one) => /\/(config|key|audit)/.test(one))).toEqual([]);
});

it('creates a key and shows it once', async () => {
  open('/ui/settings?tab=keys');
  fireEvent.click(await screen.findByRole('button', { name: 'New key' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Create the key' }));
  expect((await screen.findByRole('alert')).textContent).toBe('Give the key a name.');
  fireEvent.change(screen.getByRole('textbox', { name: 'Name' }), { target: { value: 'ci' } });
  fireEvent.click(screen.getByRole('checkbox', { name: /^submit/ }));
  fireEvent.submit(screen.getByRole('textbox', { name: 'Name' }).closest('form') as HTMLFormElement);
  expect(await screen.findByText('pk_4n9q0a2kx71b_secret')).toBeTruthy();
  expect(requests).toContain('POST /key {"name":"ci","roles":["read","submit"],"expires_after":"90d"}');
  expect(requests.some((one) => one.startsWith('POST /session'))).toBe(false);
  fireEvent.click(screen.getByRole('button', { name: 'I have stored it' }));
  await vi.waitFor(() => expect(screen.queryByText('pk_4n9q0a2kx71b_secret')).toBeNull());
});

it('logs in with the first key, which would otherwise close the page', async () => {
  known = { asks: false, who: 'anyone', roles: ['admin'] };
  open('/ui/settings?tab=keys');
  fireEvent.click(await screen.findByRole('button', { name: 'New key' }));
  fireEvent.change(await screen.findByRole('textbox', { name: 'Name' }), { target: { value: 'ops' } });
  fireEvent.submit(screen.getByRole('textbox', { name: 'Name' }).closest('form') as HTMLFormElement);
  expect(await screen.findByText('pk_4n9q0a2kx71b_secret')).toBeTruthy();
  expect(requests).toContain('POST /key {"name":"ops","roles":["admin"]}');
  expect(requests).toContain('POST /session {"key":"pk_4n9q0a2kx71b_secret"}');
});

it('replaces a key by another with the same name and roles', async () => {
  open('/ui/settings?tab=keys');
  fireEvent.click(await screen.findByRole('button', { name: 'Replace ci…' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Create the key' }));
  expect(await screen.findByText('pk_4n9q0a2kx71b_secret')).toBeTruthy();
  expect(requests).toContain('POST /key {"name":"ci","roles":["submit"],"expires_after":"90d"}');
  expect(screen.getByText(/^The key ci \(4n9q0a2kx71b\) still works\./)).toBeTruthy();
});

it('asks before it revokes', async () => {
  open('/ui/settings?tab=keys');
  fireEvent.click(await screen.findByRole('button', { name: 'Revoke ci…' }));
  expect(requests.some((one) => one.startsWith('DELETE'))).toBe(false);
  fireEvent.click(await screen.findByRole('button', { name: 'Revoke the key' }));
  await vi.waitFor(() => expect(requests).toContain('DELETE /key/4n9q0a2kx71b'));
});

it('filters and pages the audit by its address', async () => {
  const router = open('/ui/settings?tab=audit&subject=a-task');
  expect(await screen.findByText('reason: paid by hand')).toBeTruthy();
  expect(requests).toContain('GET /audit?page_size=50&subject=a-task');
  fireEvent.click(screen.getByRole('link', { name: 'Older ›' }));
  await vi.waitFor(() => expect(router.state.location.href).toBe('/settings?tab=audit&subject=a-task&after=41'));
});

it('switches single keys off', async () => {
  const router = open('/ui/settings?tab=browser');
  fireEvent.click(await screen.findByRole('radio', { name: 'Off' }));
  for (const key of ['g', 't']) fireEvent.keyDown(document.body, { key });
  expect(router.state.location.pathname).toBe('/settings');
  fireEvent.click(screen.getByRole('radio', { name: 'On' }));
  for (const key of ['g', ',', 'g', 'd']) fireEvent.keyDown(document.body, { key });
  await vi.waitFor(() => expect(router.state.location.pathname).toBe('/dead'));
});

it('makes rows higher', async () => {
  open('/ui/settings?tab=browser');
  fireEvent.click(await screen.findByRole('radio', { name: 'Comfortable' }));
  expect(document.documentElement.dataset.density).toBe('comfortable');
});
