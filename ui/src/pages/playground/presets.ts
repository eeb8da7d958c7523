// SPDX-License-Identifier: Apache-2.0
// Policies to begin with.
import { formatJson } from '../../api/json';

export const FIRST_POLICY = formatJson({
  max_retries: 5, backoff: { type: 'exponential', initial: '1s', multiplier: 2 }, jitter: { type: 'spread', factor: 0.25 }, max_delay: '5m',
});

export const PRESETS: readonly { readonly word: string; readonly text: string }[] = [
  { word: 'http', text: formatJson({ preset: 'http' }) },
  { word: 'queue', text: formatJson({ preset: 'queue' }) },
  { word: 'transient', text: formatJson({ preset: 'transient' }) },
  { word: 'Exponential, 5 retries', text: FIRST_POLICY },
  {
    word: 'Steps for ever',
    text: formatJson({ max_retries: null, backoff: { type: 'ladder', steps: [{ count: 5, delay: '5m' }, { count: 5, delay: '10m' }, { count: 0, delay: '1h' }] }, jitter: 'none' }),
  },
  { word: 'Webhook, over 3 days', text: formatJson({ backoff: { type: 'schedule', delays: ['5s', '5m', '30m', '2h', '5h', '10h', '14h', '20h', '24h'] }, jitter: { type: 'spread', factor: 0.1 } }) },
];

/** Failures to try a policy with; the value is that of a choice, the failure what the API reads. */
export const FAILURES: readonly { readonly value: string; readonly word: string; readonly failure: Readonly<Record<string, unknown>> | null }[] = [
  { value: '', word: 'any failure that it retries', failure: null },
  { value: '429', word: 'http 429', failure: { kind: 'http', status: 429 } },
  { value: '500', word: 'http 500', failure: { kind: 'http', status: 500 } },
  { value: '503', word: 'http 503', failure: { kind: 'http', status: 503 } },
  { value: '404', word: 'http 404', failure: { kind: 'http', status: 404 } },
  { value: 'timeout', word: 'timeout', failure: { kind: 'timeout' } },
  { value: 'explicit', word: 'explicit', failure: { kind: 'explicit' } },
];

/** The failure to send, with a Retry-After in seconds if one was entered. */
export function failureOf(value: string, retryAfter: string): Readonly<Record<string, unknown>> | null {
  const failure = FAILURES.find((one) => one.value === value)?.failure ?? null;
  const seconds = /^\d{1,7}$/.test(retryAfter.trim()) ? Number(retryAfter) : null;
  return failure && seconds !== null ? { ...failure, retry_after_ms: seconds * 1_000 } : failure;
}
