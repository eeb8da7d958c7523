// SPDX-License-Identifier: Apache-2.0
import { useEffect, useRef } from 'react';
import { serverClock } from '../../api/clock';

/** After 0.3 s, then 1, 2 and 4 s later. */
const ASK_AFTER_MS = [300, 1_300, 3_300, 7_300];

/** Longer timers would overflow and fire at once. */
const LONGEST_MS = 86_400_000;

/** Asks again when a retry becomes due, until the task changes. */
export function useDueRefresh(dueAt: string | null, refresh: () => void): void {
  const latest = useRef(refresh);
  useEffect(() => {
    latest.current = refresh;
  });
  useEffect(() => {
    if (dueAt === null) return undefined;
    const left = Date.parse(dueAt) - serverClock.now();
    if (left > LONGEST_MS || left < -10_000) return undefined;
    const timers = ASK_AFTER_MS.map((ms) => setTimeout(() => latest.current(), Math.max(0, left) + ms));
    return () => timers.forEach((timer) => clearTimeout(timer));
  }, [dueAt]);
}
