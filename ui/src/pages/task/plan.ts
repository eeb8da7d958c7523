// SPDX-License-Identifier: Apache-2.0
// The plan of a task in words.
import type { TaskPlan } from '../../api/task';
import { duration, relative } from '../../parts/when';

const REASONS: Readonly<Record<string, string>> = {
  succeeded: 'Ended: it succeeded',
  canceled: 'Ended: it was canceled',
};

const BECAUSE: ReadonlyMap<string, string> = new Map([
  ['no_policy', 'it has no retry policy'],
  ['not_retryable', 'this failure is not retried'],
  ['exhausted', 'no retries left'],
  ['expired', 'the next retry would start after its expiry'],
]);

function becauseOf(reason: string): string {
  return `: ${BECAUSE.get(reason) ?? reason.replaceAll('_', ' ')}`;
}

/** "Gives up after attempt 6, in 3 min to 5 min: no retries left."; null if the end is not known. */
export function endWords(end: TaskPlan['end'], now: number): string | null {
  if (!end) return null;
  const ended = REASONS[end.reason];
  if (ended !== undefined) return `${ended} in attempt ${end.after_attempt + 1}.`;
  const from = Date.parse(end.at_min);
  const to = Date.parse(end.at_max);
  if (to <= now) return `Gave up after attempt ${end.after_attempt + 1}${becauseOf(end.reason)}.`;
  const [first, last] = [relative(Math.max(from, now), now), relative(to, now)];
  const when = first === last || from <= now ? last : `${first} to ${last.replace(/^in /, '')}`;
  return `Gives up after attempt ${end.after_attempt + 1}, ${when}${becauseOf(end.reason)}.`;
}

/** "30 s to 50 s later", or "40 s later" if no jitter changes it: the wait before a planned attempt. */
export function waitWords(coming: TaskPlan['coming'], index: number, now: number): string {
  const one = coming[index];
  if (!one) return '';
  if (one.at === null) return 'waits for other tasks';
  if (one.drawn || index === 0) return Date.parse(one.at) <= now ? 'due' : relative(Date.parse(one.at), now);
  const before = coming[index - 1];
  const since = before?.at ? Date.parse(before.at) : now;
  return `about ${duration(Date.parse(one.at) - since)} later`;
}
