// SPDX-License-Identifier: Apache-2.0
// @vitest-environment happy-dom
import { cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useDueRefresh } from './useDueRefresh';

beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2026, 10, 16) }));

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();

it('asks 0.3, 1.3, 3.3 and 7.3 s after the retry is due', () => {
  const refresh = vi.fn();
  const due = inMs(5_000);
  renderHook(() => useDueRefresh(due, refresh));
  const calls = [5_299, 1, 1_000, 2_000, 4_000, 60_000].map((ms) => {
    vi.advanceTimersByTime(ms);
    return refresh.mock.calls.length;
  });
  expect(calls).toEqual([0, 1, 2, 3, 4, 4]);
});

it('stops when the task changes', () => {
  const refresh = vi.fn();
  const initialProps: { at: string | null } = { at: inMs(1_000) };
  const { rerender } = renderHook(({ at }) => useDueRefresh(at, refresh), { initialProps });
  rerender({ at: null });
  vi.advanceTimersByTime(60_000);
  expect(refresh).not.toHaveBeenCalled();
});

it('does not ask at once about a retry in 30 days', () => {
  const refresh = vi.fn();
  const due = inMs(30 * 86_400_000);
  renderHook(() => useDueRefresh(due, refresh));
  vi.advanceTimersByTime(60_000);
  expect(refresh).not.toHaveBeenCalled();
});
