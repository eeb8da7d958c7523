// SPDX-License-Identifier: Apache-2.0
// Policies to begin with, and failures to try them with.
import type { TaskDetails } from '../../api/client';
import { formatJson } from '../../api/json';
import type { Failure } from '../../api/policies';
import { count } from '../../parts/when';

export const FIRST_POLICY = formatJson({
  max_retries: 5, backoff: { type: 'exponential', initial: '1s', multiplier: 2 }, jitter: { type: 'spread', factor: 0.25 }, max_delay: '5m',
});

export const PRESETS: readonly { readonly word: string; readonly text: string }[] = [
  { word: 'http', text: formatJson({ preset: 'http' }) },
  { word: 'queue', text: formatJson({ preset: 'queue' }) },
  { word: 'transient', text: formatJson({ preset: 'transient' }) },
  { word: 'Exponential, 5 retries', text: FIRST_POLICY },
  {
    word: 'Steps, the last forever',
    text: formatJson({ max_retries: null, backoff: { type: 'ladder', steps: [{ count: 5, delay: '5m' }, { count: 5, delay: '10m' }, { count: 0, delay: '1h' }] }, jitter: 'none' }),
  },
  { word: 'Webhook, over 3 days', text: formatJson({ backoff: { type: 'schedule', delays: ['5s', '5m', '30m', '2h', '5h', '10h', '14h', '20h', '24h'] }, jitter: { type: 'spread', factor: 0.1 } }) },
];

/** The value is that of a choice, the failure what the API reads. */
export const FAILURES: readonly { readonly value: string; readonly word: string; readonly failure: Failure | null }[] = [
  { value: '', word: 'any failure that it retries', failure: null },
  { value: '429', word: 'http 429', failure: { kind: 'http', status: 429 } },
  { value: '500', word: 'http 500', failure: { kind: 'http', status: 500 } },
  { value: '503', word: 'http 503', failure: { kind: 'http', status: 503 } },
  { value: '404', word: 'http 404', failure: { kind: 'http', status: 404 } },
  { value: 'timeout', word: 'timeout', failure: { kind: 'timeout' } },
  { value: 'explicit', word: 'explicit', failure: { kind: 'explicit' } },
];

/** The failure to send, with a Retry-After in seconds if one was entered. */
export function failureOf(value: string, retryAfter: string): Failure | null {
  const failure = FAILURES.find((one) => one.value === value)?.failure ?? null;
  const seconds = /^\d{1,7}$/.test(retryAfter.trim()) ? Number(retryAfter) : null;
  return failure && seconds !== null ? { ...failure, retry_after_ms: seconds * 1_000 } : failure;
}

/** The choice of a real task's failures. */
export const OF_TASK = 'task';

export interface TaskFailures {
  /** Such as "the 3 failures of order 913". */
  readonly words: string;
  readonly failures: readonly Failure[];
}

/** How often and why a task has failed; null if it has not. Lost attempts are not failures of its work. */
export function failuresOf({ name, kind, attempts }: Pick<TaskDetails, 'name' | 'kind' | 'attempts'>): TaskFailures | null {
  const failures = attempts.flatMap(({ failure_kind: failure, status, code, exception_types: types }): Failure[] => (failure === null ? [] : [{
    kind: failure, ...(status === null ? {} : { status }), ...(code === null ? {} : { code }),
    ...(types.length === 0 ? {} : { exception_types: types }),
  }]));
  const number = failures.length === 1 ? 'the failure' : `the ${count(failures.length)} failures`;
  return failures.length === 0 ? null : { words: `${number} of ${name ?? kind}`, failures };
}
