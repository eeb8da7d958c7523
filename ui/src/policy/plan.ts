// SPDX-License-Identifier: Apache-2.0
// The plan of a policy: when each retry comes at the earliest, as expected and at the latest.
import type { Explanation } from '../api/policies';
import { duration } from '../parts/when';
import { fromPolicy, readSteps } from './ladder';
import { ladderSentence } from './sentence';

export interface PlanRow {
  /** The number of the retry, from 1. */
  readonly retry: number;
  readonly min: number;
  readonly expected: number;
  readonly max: number;
}

export const MOST_ROWS = 20;

export function planRows({ attempts }: Explanation): PlanRow[] {
  return attempts.filter((entry) => entry.retry).map((entry, i) => ({
    retry: i + 1,
    min: entry.total_min_ms ?? 0,
    expected: entry.total_expected_ms ?? entry.total_min_ms ?? 0,
    max: entry.total_max_ms ?? entry.total_expected_ms ?? 0,
  }));
}

type Reason = NonNullable<Explanation['attempts'][number]['reason']>;

/** Why it gives up, after a colon; '' if the number of retries says it. */
const REASONS: Readonly<Record<Reason, string>> = {
  exhausted: '',
  no_policy: '',
  expired: ': the time is up',
  not_retryable: ': this failure is not retried',
};

/** When it gives up, in words. */
export function endWords(explanation: Explanation): string {
  const rows = planRows(explanation);
  const last = rows.at(-1);
  if (explanation.more) return 'It goes on after the retries shown.';
  const end = explanation.attempts.find((entry) => !entry.retry);
  if (!last) return `It is not tried again${reasonWords(end?.reason)}.`;
  const range = last.min === last.max ? '' : ` (${duration(last.min)} to ${duration(last.max)})`;
  const tries = rows.length === 1 ? 'The only retry comes' : `The last of ${rows.length} retries comes`;
  return `${tries} after ${last.min === last.max ? '' : 'about '}${duration(last.expected)}${range}. Then it gives up${reasonWords(end?.reason)}.`;
}

function reasonWords(reason: Reason | undefined): string {
  return reason === undefined ? '' : REASONS[reason];
}

/** With one of these, the steps of a ladder do not say everything. */
const LIMITS = ['max_retries', 'max_delay', 'expires_after', 'expires_at'] as const;

/** The retries as one sentence: that of the ladder, or that of the server. */
export function policySentence({ sentence, canonical }: Explanation): string {
  const ladder = canonical !== null && LIMITS.every((name) => canonical[name] === undefined || canonical[name] === null) ? fromPolicy(canonical) : null;
  const steps = ladder ? readSteps(ladder.steps) : null;
  if (ladder && steps) return ladderSentence(steps, ladder.only.length > 0 ? ladder.only.join(' or ') : undefined);
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}${/[.!?]$/.test(sentence) ? '' : '.'}`;
}

/** The other properties, each with its label. The server writes "jitter: none: all clients wait equally long". */
export function properties({ words }: Explanation): { readonly label: string; readonly text: string }[] {
  return words.map((line) => {
    const end = line.indexOf(': ');
    return { label: line.slice(0, Math.max(0, end)), text: line.slice(end < 0 ? 0 : end + 2) };
  }).filter(({ label }) => label !== 'retries');
}

const NICE_MS = [
  100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 30_000, 60_000, 120_000, 300_000, 600_000, 1_200_000, 1_800_000, 3_600_000, 7_200_000,
  14_400_000, 21_600_000, 43_200_000, 86_400_000, 172_800_000, 604_800_000, 1_209_600_000, 2_592_000_000, 7_776_000_000, 31_536_000_000,
];

/** Instants for the axis, at most `most` after 0. */
export function axisOf(end: number, most: number): number[] {
  if (end <= 0) return [0];
  const step = NICE_MS.find((ms) => end / ms <= most) ?? end;
  return Array.from({ length: Math.floor(end / step) + 1 }, (_, i) => i * step);
}
