// SPDX-License-Identifier: Apache-2.0
// The attempt of a task in words, counted from 1.

export interface AttemptFacts {
  /** Counted from 0. */
  readonly attempt: number;
  /** Such as "attempt 3/5, step 1/3"; the server counts the steps of a ladder. */
  readonly badge?: string | null;
  readonly retry_canonical?: { readonly max_retries?: number | null; readonly backoff: { readonly type: string } } | null;
}

/** "3 of 6", "3" if unlimited or without retries, "3/5, step 1/3" on a ladder. */
export function attemptWords({ attempt, badge, retry_canonical: policy }: AttemptFacts): string {
  const number = attempt + 1;
  if (policy?.backoff.type === 'ladder') return badge?.replace(/^attempt /, '') ?? String(number);
  const retries = policy?.max_retries;
  return typeof retries === 'number' ? `${number} of ${Math.max(number, retries + 1)}` : String(number);
}

/** A UUID cut in the middle: its beginning tells the time, its end tells tasks apart. */
export function shortId(id: string): string {
  return id.length <= 14 ? id : `${id.slice(0, 8)}…${id.slice(-4)}`;
}
