// SPDX-License-Identifier: Apache-2.0
// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { cleanup, configure, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createDashboardRouter } from '../../routes';
// Loaded here, since loading them takes longer than a test waits.
import './SchedulePage';
import './SchedulesPage';

configure({ asyncUtilTimeout: 5_000 });

const ID = '0198c0de-1111-7222-8333-444455550913';
const LADDER = [{ count: 5, delay_minutes: 5 }, { count: 5, delay_minutes: 10 }, { count: 0, delay_minutes: 60 }];

function schedule() {
  const at = new Date(Date.now() + 120_000).toISOString();
  return {
    id: ID, name: 'Book a court', trigger: { cron: '0 8 * * 1-5', zone: 'Europe/Paris' }, description: 'every weekday at 08:00 Europe/Paris',
    enabled: true, overlap: 'skip', misfire: 'fire_once', version: 3, next_at: at, queued: 0, problem: null, created_at: at, updated_at: at,
    task: { kind: 'book-court' }, batch: null, retry: LADDER, retry_description: 'words', notify: null, next_firings: [at], last: null, last_firings: [],
    retry_under_way: [{
      task: retryTask, batch_id: BATCH, kind: 'book-court', status: 'RetryPending', attempt: 3, badge: 'attempt 3/5, step 1/3', next_retry_at: at,
      failure_kind: 'explicit', failure_reason: null, failure_code: 'no_slots',
    }],
  };
}

const BATCH = '0198c0de-1111-7222-8333-444455550000';

let roles: string[];
let retryTask: string | null;
let requests: { line: string; body: string }[];
let refusal: object | null;

beforeEach(() => {
  [requests, refusal, roles, retryTask] = [[], null, ['admin'], ID];
  vi.stubGlobal('fetch', async (request: Request) => {
    const path = request.url.replace(/^https?:\/\/[^/]+/, '');
    if (path === '/session') return Response.json({ asks: true, who: 'someone', roles });
    requests.push({ line: `${request.method} ${path}`, body: await request.clone().text() });
    if (path === '/schedule/preview') return Response.json({ words: 'every weekday at 08:00', next: [], warnings: [] });
    if (request.method !== 'GET' && refusal) return Response.json(refusal, { status: 400 });
    return Response.json(request.method === 'DELETE' ? { canceled: 1 } : path === '/schedule?page_size=100' ? [schedule()] : schedule());
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

const sent = (line: string) => requests.filter((one) => one.line === line).map((one) => JSON.parse(one.body || 'null') as unknown);
const steps = () => [...screen.getByRole('list', { name: 'Steps' }).querySelectorAll('li')]
  .map((row) => [...row.querySelectorAll<HTMLInputElement>('input, select')].map((field) => field.value).join(' '));

it('shows a card with the retry under way, and cancels it after asking', async () => {
  open('/ui/schedules');
  expect(await screen.findByText('attempt 3/5, step 1/3')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Cancel it' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Cancel the retry' }));
  await vi.waitFor(() => expect(sent(`DELETE /schedule/${ID}/retry?task=${ID}`)).toHaveLength(1));
});

it('runs a schedule now', async () => {
  open('/ui/schedules');
  fireEvent.click(await screen.findByRole('button', { name: 'Run now: Book a court' }));
  await vi.waitFor(() => expect(sent(`POST /schedule/${ID}/trigger`)).toHaveLength(1));
});

it('cancels only the next run of a batch that waits for it', async () => {
  retryTask = null;
  open('/ui/schedules');
  fireEvent.click(await screen.findByRole('button', { name: 'Cancel it' }));
  expect(await screen.findByText('This batch does not run again. The schedule and its other retries go on.')).toBeTruthy();
  fireEvent.click(await screen.findByRole('button', { name: 'Cancel the retry' }));
  await vi.waitFor(() => expect(requests.filter(({ line }) => line.startsWith('DELETE')).map(({ line }) => line)).toEqual([`DELETE /batch/${BATCH}`]));
});

it.each([
  [['read'], []],
  [['operate'], ['Cancel it', 'Run now: Book a court']],
])('shows a key with %j only what it may do', async (given, names) => {
  roles = given;
  open('/ui/schedules');
  await screen.findByText('attempt 3/5, step 1/3');
  await vi.waitFor(() => expect(within(screen.getByRole('main')).queryAllByRole('button').map((one) => one.getAttribute('aria-label') ?? one.textContent.trim())).toEqual(names));
  expect(screen.queryByRole('link', { name: 'New schedule' })).toBeNull();
  cleanup();
  open(`/ui/schedules/${ID}`);
  expect(await screen.findByText('every weekday at 08:00 Europe/Paris')).toBeTruthy();
  expect(screen.queryByRole('form')).toBeNull();
});

it('moves a step with Alt and an arrow, and sends only what changed', async () => {
  open(`/ui/schedules/${ID}`);
  const delay = await screen.findByLabelText('Step 1: delay');
  expect(steps()).toEqual(['5 5 min', '5 10 min', '∞ 1 h']);
  expect(screen.getByText(/^After a failure: every 5 minutes, 5 times; .* The first hour brings 8 retries, the first day 32\.$/)).toBeTruthy();
  fireEvent.keyDown(delay, { key: 'ArrowDown', altKey: true });
  expect(steps()).toEqual(['5 10 min', '5 5 min', '∞ 1 h']);
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  await vi.waitFor(() => expect(sent(`PATCH /schedule/${ID}`)).toEqual([
    { retry: [LADDER[1], LADDER[0], LADDER[2]], version: 3 },
  ]));
});

it('does not save a step that repeats forever before the last', async () => {
  open(`/ui/schedules/${ID}`);
  const count = await screen.findByLabelText('Step 1: times');
  fireEvent.change(count, { target: { value: '' } });
  fireEvent.blur(count);
  expect((count as HTMLInputElement).value).toBe('∞');
  expect(screen.getByText('Only the last step can go on forever.')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Correct the steps first.')).toBeTruthy();
  expect(sent(`PATCH /schedule/${ID}`)).toEqual([]);
});

it('keeps the steps while retries are off', async () => {
  open(`/ui/schedules/${ID}`);
  fireEvent.click(await screen.findByRole('switch', { name: 'Retry on' }));
  expect(screen.getByText('It is not tried again.')).toBeTruthy();
  expect(steps()).toHaveLength(3);
  expect((screen.getByLabelText('Step 1: times') as HTMLInputElement).disabled).toBe(true);
  fireEvent.click(screen.getByRole('switch', { name: 'Retry off' }));
  expect(steps()).toEqual(['5 5 min', '5 10 min', '∞ 1 h']);
});

it('shows what the server refuses beside the field', async () => {
  refusal = { detail: 'the request has 1 error', errors: [{ path: 'name', message: 'is taken' }] };
  open('/ui/schedules/new');
  fireEvent.change(await screen.findByLabelText('Name'), { target: { value: 'Book a court' } });
  fireEvent.change(screen.getByLabelText(/as JSON/), { target: { value: '{"kind":"a"}' } });
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('is taken')).toBeTruthy();
  expect(sent('POST /schedule')).toMatchObject([{ name: 'Book a court', task: { kind: 'a' } }]);
});
