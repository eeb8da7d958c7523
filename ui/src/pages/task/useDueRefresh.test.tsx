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
  const due = inMs(5_000);
  const askedAt: number[] = [];
  renderHook(() => useDueRefresh(due, () => askedAt.push(Date.now() - Date.parse(due))));
  vi.advanceTimersByTime(60_000);
  expect(askedAt).toEqual([300, 1_300, 3_300, 7_300]);
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
