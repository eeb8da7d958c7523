// SPDX-License-Identifier: Apache-2.0
import { useEffect, useReducer } from 'react';
import { serverClock } from '../api/clock';
import { age, exact, refreshIn, relative } from './when';

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
  return <time dateTime={at} title={exact(instant)}>{words}</time>;
}

/** "8 min": the time since an instant. */
export function Age({ at }: { readonly at: string }) {
  const instant = Date.parse(at);
  return <time dateTime={at} title={exact(instant)}>{age(instant, useNow(instant))}</time>;
}
