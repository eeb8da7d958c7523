// SPDX-License-Identifier: Apache-2.0
// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { cleanup, configure, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Explanation, LintAnswer, StormRun } from '../../api/policies';
import { policyHash } from '../../policy/fragment';
import { createDashboardRouter } from '../../routes';
// Loaded here, since loading it takes longer than a test waits.
import './PlaygroundPage';

configure({ asyncUtilTimeout: 5_000 });

const POLICY = { max_retries: 1, backoff: { type: 'fixed', delay: '1s' }, jitter: 'none', note: 'kept' };
const RUN: StormRun = {
  verdict: 'metastable', amplification: 3.4, peak_load: 4, success_rate: 0.5, drain_ms: null, requests: 2, attempts: 3, succeeded: 1,
  rejected_by_budget: 0, arrived: [1, 1], sent: [1, 2], answered: [1, 1], waiting: [0, 1],
};
const ATTEMPTS = [
  { failure_kind: 'http', status: 503, code: null, exception_types: [] }, { failure_kind: null, status: null, code: null, exception_types: [] },
  { failure_kind: 'explicit', status: null, code: 'no_slots', exception_types: [] },
];

let sent: { path: string; policy: Record<string, unknown>; failures?: unknown }[];
let errors: object[];

beforeEach(() => {
  sent = [];
  errors = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    const path = request.url.replace(/^https?:\/\/[^/]+/, '');
    if (path.startsWith('/task/')) return Response.json({ name: 'order 913', kind: 'charge', attempts: ATTEMPTS, retry_canonical: { ...POLICY, max_retries: 7 } });
    sent.push({ path, ...await request.clone().json() as { policy: Record<string, unknown> } });
    if (errors.length > 0) return Response.json({ detail: 'no', errors }, { status: 400 });
    if (path === '/policy/lint') {
      const fix = 'set "jitter": {"type": "spread", "factor": 0.25}';
      const warnings: LintAnswer['warnings'] = [{ id: 'no-jitter', path: 'jitter', message: '1,000 clients retry together', fix }];
      return Response.json({ warnings });
    }
    if (path === '/policy/simulate') {
      return Response.json({ outage_starts_ms: 0, outage_ends_ms: 1_000, without_retries: RUN, with_policy: RUN, with_budget: RUN });
    }
    const totals = { total_min_ms: 1_000, total_max_ms: 1_000, total_expected_ms: 1_000 };
    const explained: Explanation = {
      canonical: null, dialect: 'canonical', words: ['retries: one retry, after 1 second', 'expiry: none: no time limit'],
      sentence: 'one retry, after 1 second', more: false, end: null,
      attempts: [{ attempt: 0, retry: true, ...totals }, { attempt: 1, retry: false, reason: 'exhausted' }],
    };
    return Response.json(explained);
  });
  vi.stubGlobal('EventSource', class { addEventListener() {} close() {} });
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function open(search = '') {
  const address = `/ui/playground${search}#${policyHash(JSON.stringify(POLICY))}`;
  const router = createDashboardRouter(createMemoryHistory({ initialEntries: [address] }));
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(<QueryClientProvider client={client}><RouterProvider router={router} /></QueryClientProvider>);
}

const asked = (path: string) => sent.filter((one) => one.path === path).map((one) => one.policy);

it('explains the policy of the address', async () => {
  open();
  expect(await screen.findByText('One retry, after 1 second.')).toBeTruthy();
  expect(screen.getByText('The only retry comes after 1 s. Then it gives up.')).toBeTruthy();
  expect(asked('/policy/explain')[0]).toEqual(POLICY);
  expect((await screen.findAllByText('3.4 × load, never recovers'))).toHaveLength(3);
});

it('changes one field in the form, and keeps what the form does not know', async () => {
  open();
  fireEvent.change(await screen.findByLabelText('Delay'), { target: { value: '2s' } });
  await vi.waitFor(() => expect(asked('/policy/explain').at(-1)).toEqual({ ...POLICY, backoff: { type: 'fixed', delay: '2s' } }), 5_000);
});

it('applies the fix of a warning', async () => {
  open();
  fireEvent.click(await screen.findByRole('button', { name: /^Use jitter/ }));
  await vi.waitFor(() => expect(asked('/policy/explain').at(-1)).toMatchObject({ jitter: { type: 'spread', factor: 0.25 } }), 5_000);
});

it('shows errors beside their field, and all of them in the text', async () => {
  errors = [{ path: 'policy.backoff.delay', message: 'is not a duration' }, { path: 'policy.note', message: 'unknown field' }];
  open();
  expect((await screen.findByText('is not a duration')).closest('div')?.querySelector('input')?.getAttribute('aria-label')).toBe('Delay');
  expect(screen.getByRole('list', { name: 'Errors' }).textContent).toBe('note unknown field');
  fireEvent.click(screen.getByRole('radio', { name: 'JSON' }));
  await vi.waitFor(() => expect(screen.getByRole('list', { name: 'Errors' }).children).toHaveLength(2), 5_000);
});

it('says that text is not JSON, and asks nothing', async () => {
  open('?view=json');
  const text = await screen.findByLabelText('Policy as JSON');
  await screen.findByText('One retry, after 1 second.');
  const before = sent.length;
  fireEvent.change(text, { target: { value: '{' } });
  expect(await screen.findByRole('alert')).toBeTruthy();
  expect(await screen.findByText('The storm appears once the policy is valid.')).toBeTruthy();
  expect(sent.slice(before).filter((one) => one.path === '/policy/explain')).toEqual([]);
});

it('loads the policy of a task and its failures', async () => {
  open();
  fireEvent.click(await screen.findByRole('button', { name: 'From task…' }));
  fireEvent.change(await screen.findByLabelText('Id of the task'), { target: { value: '0198c0de-1111-7222-8333-444455550913' } });
  fireEvent.click(screen.getByRole('button', { name: 'Load' }));
  await vi.waitFor(() => expect(asked('/policy/explain').at(-1)).toMatchObject({ max_retries: 7 }), 5_000);
  const select = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'What if it fails with' });
  expect(select.selectedOptions[0]?.textContent).toBe('the 2 failures of order 913');
  expect(sent.findLast((one) => one.path === '/policy/explain')?.failures)
    .toEqual([{ kind: 'http', status: 503 }, { kind: 'explicit', code: 'no_slots' }]);
});

it('adds an override in the form', async () => {
  open();
  expect(await screen.findByText('none: no time limit')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Add an override' }));
  fireEvent.change(await screen.findByLabelText('Override 1: retries'), { target: { value: '1' } });
  await vi.waitFor(() => expect(asked('/policy/explain').at(-1)).toEqual({ ...POLICY, overrides: [{ on: ['429'], max_retries: 1 }] }), 5_000);
});
