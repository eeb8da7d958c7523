// SPDX-License-Identifier: Apache-2.0
// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { act, cleanup, render } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { isPaused, pollEvery, toggleLive, useLive } from './live';
import { useEvents } from './useEvents';

class Stream extends EventTarget {
  static readonly CLOSED = 2;
  static all: Stream[] = [];
  readyState = 1;
  constructor() {
    super();
    Stream.all.push(this);
  }
  close() {
    this.readyState = Stream.CLOSED;
  }
  async send(type: string, data = '{}') {
    this.dispatchEvent(new MessageEvent(type, { data }));
    await pass(1_100);
  }
}

const asked = { tasks: 0, mail: 0, find: 0, polled: 0 };
let hidden = false;

function Page() {
  useEvents(true);
  useQuery({ queryKey: ['tasks', {}, {}], queryFn: () => ++asked.tasks });
  useQuery({ queryKey: ['tasks', { kind: '=mail' }, {}], queryFn: () => ++asked.mail });
  useQuery({ queryKey: ['find', 'x'], queryFn: () => ++asked.find });
  useQuery({ queryKey: ['series'], queryFn: () => ++asked.polled, refetchInterval: () => pollEvery(15_000) });
  return <p>{useLive()}</p>;
}

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('EventSource', Stream);
  Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
  Object.assign(asked, { tasks: 0, mail: 0, find: 0, polled: 0 });
  Stream.all = [];
});

afterEach(() => {
  if (isPaused()) toggleLive();
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function open() {
  const { container } = render(<QueryClientProvider client={new QueryClient()}><Page /></QueryClientProvider>);
  const [stream] = Stream.all;
  if (!stream) throw new Error('No stream was opened.');
  await stream.send('open');
  await stream.send('hello', '{"version": "0.2.0"}');
  Object.assign(asked, { tasks: 0, mail: 0, find: 0, polled: 0 });
  return { container, stream };
}

it('asks again only for what an event concerns', async () => {
  const { container, stream } = await open();
  expect(container.textContent).toBe('live');
  await stream.send('tasks', '{"kinds": ["charge"], "batches": ["b"], "tasks": ["t"]}');
  expect(asked).toEqual({ tasks: 1, mail: 0, find: 0, polled: 0 });
  await stream.send('tasks');
  expect(asked).toEqual({ tasks: 2, mail: 1, find: 0, polled: 0 });
});

it('asks for nothing while it is paused, and for all that is live afterwards', async () => {
  const { container, stream } = await open();
  act(toggleLive);
  await pass(60_000);
  expect(container.textContent).toBe('paused');
  expect(stream.readyState).toBe(Stream.CLOSED);
  expect(asked).toEqual({ tasks: 0, mail: 0, find: 0, polled: 0 });
  act(toggleLive);
  await Stream.all.at(-1)?.send('hello');
  expect(asked).toMatchObject({ tasks: 1, mail: 1, find: 0 });
  await pass(16_000);
  expect(asked.polled).toBeGreaterThan(0);
});

it('asks for all that is live when the page is visible again', async () => {
  const { stream } = await open();
  hidden = true;
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
  expect(stream.readyState).toBe(Stream.CLOSED);
  hidden = false;
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
  await Stream.all.at(-1)?.send('hello');
  expect(asked).toMatchObject({ tasks: 1, mail: 1, find: 0, polled: 1 });
});

it('says that others have taken the live updates', async () => {
  const { container, stream } = await open();
  vi.stubGlobal('fetch', async () => Response.json({ detail: 'all 200 event streams are in use' }, { status: 503 }));
  stream.readyState = Stream.CLOSED;
  await stream.send('error');
  expect(container.textContent).toBe('refused');
});
