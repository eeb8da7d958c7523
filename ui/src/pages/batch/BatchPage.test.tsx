// SPDX-License-Identifier: Apache-2.0
// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { cleanup, configure, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { layOutGraph } from '../../graph/layout';
import type { LayoutRequest } from '../../graph/layout';
import { createDashboardRouter } from '../../routes';

// The pages are loaded when they are first opened, which a busy machine takes a while for.
configure({ asyncUtilTimeout: 20_000 });
vi.setConfig({ testTimeout: 30_000 });

vi.mock('../../graph/layout.worker?worker&url', () => ({ default: '/ui/assets/layout.worker.js' }));

const ID = '0198c0de-1111-7222-8333-444455550913';
const AT = '2026-11-16T02:00:00Z';
const HOSTILE = '<img src=x onerror=alert(1)>';
const NONE = { waiting: 0, pending: 0, claimed: 0, running: 0, retry_pending: 0, paused: 0, parked: 0, success: 0, failure: 0, canceled: 0 };

function batch(changes: object = {}) {
  return {
    batch_id: ID, name: HOSTILE, run: 0, next_run_at: null, total_tasks: 3, status_counts: { ...NONE, success: 1, running: 1, waiting: 1 },
    total_success: 0, total_failures: 0, total_expected: null, progress: 1 / 3, created_at: AT, last_updated: AT, ended_at: null,
    stopped_at: null, retry: null, first_created_at: AT, latest_updated_at: AT, kinds: ['k'], runs: [], actions: null, notify: [], context: null, ...changes,
  };
}

function task(id: string, status: string) {
  return { id, batch_id: ID, run: 0, kind: 'k', name: id, status, attempt: 0, created_at: AT, run_at: AT };
}

const DAG = {
  tasks: [task('list', 'Success'), task('audit', 'Running'), task('report', 'Waiting')],
  links: [{ parent_id: 'list', child_id: 'audit', requires_success: true }, { parent_id: 'audit', child_id: 'report', requires_success: false }],
  truncated: false,
};

/** Runs the layout where it is, or fails as a worker can. */
class FakeWorker {
  static fails = false;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onerror: ((event: { message: string }) => void) | null = null;
  postMessage(request: LayoutRequest) {
    queueMicrotask(() => (FakeWorker.fails ? this.onerror?.({ message: 'refused' }) : this.onmessage?.({ data: { layout: layOutGraph(request) } })));
  }
  terminate() {}
}

let requests: string[];
let roles: string[];
let shown: object;
let dag: object;

beforeEach(() => {
  requests = [];
  roles = ['admin'];
  shown = batch();
  dag = DAG;
  FakeWorker.fails = false;
  sessionStorage.clear();
  vi.stubGlobal('Worker', FakeWorker);
  vi.stubGlobal('EventSource', class { addEventListener() {} close() {} });
  vi.stubGlobal('fetch', async (request: Request) => {
    if (request.url.endsWith('/session')) return Response.json({ asks: false, who: 'anyone', roles });
    const path = request.url.replace(/^https?:\/\/[^/]+/, '');
    requests.push(`${request.method} ${path} ${await request.clone().text()}`.trim());
    if (path.startsWith('/dag/')) return Response.json(dag);
    if (request.method === 'DELETE') return Response.json({ batch_id: ID, already_terminal: 1, canceled_running: 1, canceled_waiting: 1 });
    if (path.endsWith('/retry')) return Response.json({ batch_id: ID, run: 1, revived: 0, failed: 1, next_run_at: null });
    if (path.startsWith('/task/facets')) return Response.json({ looked_at: 0, complete: true, status: {}, kind: [], error: [] });
    if (path.startsWith('/task')) return Response.json([]);
    return Response.json(path.startsWith('/batches') ? [shown] : shown);
  });
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

it('lists batches with their progress in words', async () => {
  open('/ui/batches?state=live');
  const link = await screen.findByRole('link', { name: HOSTILE });
  expect(link.getAttribute('href')).toBe(`/ui/batches/${ID}`);
  expect(screen.getByText('1 of 3 done · 1 running')).toBeTruthy();
  expect(screen.getByRole('img', { name: '1 succeeded, 1 running, 1 waiting' })).toBeTruthy();
  expect(requests.some((one) => one.startsWith('GET /batches') && one.includes('state=live'))).toBe(true);
});

it('draws the graph, follows links by keys and keeps the selection in the URL', async () => {
  const router = open(`/ui/batches/${ID}`);
  fireEvent.click(await screen.findByRole('button', { name: 'list, success' }));
  await waitFor(() => expect(router.state.location.search).toMatchObject({ task: 'list' }));
  fireEvent.keyDown(screen.getByRole('button', { name: 'list, success' }), { key: 'ArrowRight' });
  await waitFor(() => expect(router.state.location.search).toMatchObject({ task: 'audit' }));
  expect(screen.getByRole('button', { name: 'audit, running' }).getAttribute('aria-pressed')).toBe('true');
  fireEvent.keyDown(screen.getByRole('button', { name: 'audit, running' }), { key: 'Escape' });
  await waitFor(() => expect(router.state.location.search).not.toHaveProperty('task'));
  expect(document.querySelector('img')).toBeNull();
});

it('offers the table when the worker fails', async () => {
  FakeWorker.fails = true;
  dag = { ...DAG, links: [] };
  open(`/ui/batches/${ID}`);
  expect(await screen.findByText('The graph cannot be drawn.')).toBeTruthy();
  await waitFor(() => expect(requests.some((request) => request.includes(`batch_id=${ID}`))).toBe(true));
});

it('does not draw 3,001 tasks that differ unless asked', async () => {
  dag = { ...DAG, tasks: Array.from({ length: 3_001 }, (_, i) => ({ ...task(`t${i}`, 'Waiting'), kind: `k${i}` })), links: [] };
  open(`/ui/batches/${ID}`);
  expect(await screen.findByText('3,001 tasks that cannot be grouped.')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Draw it anyway' })).toBeTruthy();
});

it('asks before it stops the batch, and says what was done', async () => {
  open(`/ui/batches/${ID}?view=table`);
  fireEvent.click(await screen.findByRole('button', { name: 'Stop' }));
  expect(await screen.findByText('2 tasks will be canceled: 1 running, 1 waiting.')).toBeTruthy();
  expect(requests.some((request) => request.startsWith('DELETE'))).toBe(false);
  fireEvent.click(screen.getByRole('button', { name: 'Stop the batch' }));
  expect(await screen.findByText('Stopped. 2 tasks canceled, 1 had ended before.')).toBeTruthy();
});

it.each([[['read'], []], [['operate'], ['Stop']], [['admin'], ['Stop', 'Limits…']]])('offers %j only what it may do', async (given, names) => {
  roles = given;
  open(`/ui/batches/${ID}?view=table`);
  await screen.findByText('No task matches.');
  expect(['Stop', 'Run again', 'Limits…'].filter((name) => screen.queryByRole('button', { name }) !== null)).toEqual(names);
});

it('runs an ended batch again, once', async () => {
  shown = batch({ status_counts: { ...NONE, success: 2, failure: 1 }, ended_at: AT, progress: 1 });
  open(`/ui/batches/${ID}?view=table`);
  fireEvent.click(await screen.findByRole('button', { name: 'Run again' }));
  fireEvent.click(await screen.findByRole('radio', { name: /^Everything/ }));
  fireEvent.click(screen.getByRole('button', { name: 'Run all 3 tasks' }));
  expect(await screen.findByText('Run 2 has started.')).toBeTruthy();
  expect(requests.some((request) => request.includes('{"run":"new","expected_run":0}'))).toBe(true);
});

it('fixes the batch in the table', async () => {
  open(`/ui/batches/${ID}?view=table&status=Failure`);
  expect(await screen.findByText('No task matches.')).toBeTruthy();
  expect(requests.some((request) => request.includes('status=Failure') && request.includes(`batch_id=${ID}`))).toBe(true);
});

it('draws the Gantt chart', async () => {
  open(`/ui/batches/${ID}?view=gantt`);
  expect(await screen.findByRole('button', { name: /^report: has not started, at the earliest / })).toBeTruthy();
});
