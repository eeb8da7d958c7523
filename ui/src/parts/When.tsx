// SPDX-License-Identifier: Apache-2.0
import { useEffect, useReducer } from 'react';
import type { ReactNode } from 'react';
import { serverClock } from '../api/clock';
import { age, refreshIn, relative } from './when';

/** The server's time, shown anew as often as the distance to `at` deserves. */
export function useNow(at: number): number {
  const [tick, next] = useReducer((count: number) => count + 1, 0);
  const now = serverClock.now();
  useEffect(() => {
    const timer = setTimeout(next, refreshIn(at, serverClock.now()));
    return () => clearTimeout(timer);
  }, [at, tick]);
  return now;
}

interface Props {
  /** An ISO instant. */
  readonly at: string;
  /** Words for an instant that has passed, such as "due". */
  readonly past?: string;
}

/** "in 41 s" or "8 min ago", counting. */
export function When({ at, past }: Props) {
  const instant = Date.parse(at);
  const now = useNow(instant);
  const words = past !== undefined && instant <= now ? past : relative(instant, now);
  return <Time at={at}>{words}</Time>;
}

/** "8 min": the time since an instant. */
export function Age({ at }: { readonly at: string }) {
  const instant = Date.parse(at);
  return <Time at={at}>{age(instant, useNow(instant))}</Time>;
}

/** Words for an instant. The shell shows the exact one when the time has the focus, the pointer, or is tapped. */
export function Time({ at, children }: { readonly at: string; readonly children: ReactNode }) {
  return <time dateTime={at} ref={focusable}>{children}</time>;
}

/** Nothing inside a link or a button can have the focus of its own. */
function focusable(time: HTMLTimeElement | null): void {
  if (time && !time.closest('a, button')) time.tabIndex = 0;
}
