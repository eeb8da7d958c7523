// SPDX-License-Identifier: Apache-2.0
import type { Attempt } from '../../api/client';
import { When } from '../../parts/When';
import { duration } from '../../parts/when';
import css from './TaskPage.module.css';

const OUTCOMES: Readonly<Record<Attempt['outcome'], string>> = {
  success: 'Success',
  failure: 'Failure',
  lost: 'Worker lost',
  handed_back: 'Handed back',
  snoozed: 'Snoozed',
  canceled: 'Canceled',
  resolved: 'Resolved by hand',
};

/** The attempts, newest first, each with its failure. */
export function AttemptList({ attempts }: { readonly attempts: readonly Attempt[] }) {
  return (
    <section className={css.panel}>
      <h2>History</h2>
      {attempts.length === 0 && <p className={css.muted}>No attempt has ended yet.</p>}
      {attempts.toReversed().map((attempt, i) => (
        <details key={attempt.epoch} className={css.attempt} open={i === 0}>
          <summary>
            {attempt.number + 1} · {OUTCOMES[attempt.outcome]} · <When at={attempt.ended_at} />{ran(attempt)}
          </summary>
          {attempt.message && <p className={css.message}>{attempt.message}</p>}
          {typeof attempt.delay_ms === 'number' && <p className={css.muted}>Next attempt {duration(attempt.delay_ms)} later.</p>}
          {attempt.worker && <p className={css.muted}>Worker {attempt.worker}</p>}
        </details>
      ))}
    </section>
  );
}

function ran(attempt: Attempt): string {
  if (typeof attempt.started_at !== 'string') return '';
  return ` · ${duration(Date.parse(attempt.ended_at) - Date.parse(attempt.started_at))}`;
}
