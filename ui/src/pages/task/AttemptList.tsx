// SPDX-License-Identifier: Apache-2.0
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Attempt, TaskDetails } from '../../api/client';
import { attemptDetails } from '../../api/task';
import { CopyButton } from '../../parts/CopyButton';
import { Problem } from '../../parts/Problem';
import { When } from '../../parts/When';
import { count, duration } from '../../parts/when';
import css from './TaskPage.module.css';
import type { OlderAttempts } from './useOlderAttempts';

const OUTCOMES: Readonly<Record<Attempt['outcome'], string>> = {
  success: 'Success',
  failure: 'Failure',
  lost: 'Worker lost',
  handed_back: 'Handed back',
  snoozed: 'Snoozed',
  canceled: 'Canceled',
  resolved: 'Resolved by hand',
};

interface Props {
  readonly task: Pick<TaskDetails, 'id' | 'attempts' | 'attempts_total'>;
  readonly older: OlderAttempts;
}

/** The attempts, newest first, each with its failure. Older ones and stack traces are loaded on demand. */
export function AttemptList({ task, older }: Props) {
  const { id, attempts, attempts_total: total } = task;
  const shown = [...attempts.toReversed(), ...older.loaded];
  return (
    <section className={css.panel}>
      <h2>History</h2>
      {shown.length === 0 && <p className={css.muted}>No attempt has ended yet.</p>}
      {shown.map((attempt, i) => <One key={attempt.epoch} id={id} attempt={attempt} first={i === 0} />)}
      {older.error !== null && <Problem error={older.error} />}
      {older.more && (
        <p className={css.older}>
          <span className={css.muted}>{count(shown.length)} of {count(Math.max(total, shown.length))}</span>
          <button type="button" disabled={older.load === null} onClick={() => older.load?.()}>
            {older.load === null ? 'Loading…' : 'Show older attempts'}
          </button>
        </p>
      )}
    </section>
  );
}

function One({ id, attempt, first }: { readonly id: string; readonly attempt: Attempt; readonly first: boolean }) {
  const failure = [attempt.failure_kind, attempt.status, attempt.code].filter((part) => part !== null && part !== undefined).join(' ');
  return (
    <details className={css.attempt} open={first}>
      <summary>
        {attempt.number + 1} · {OUTCOMES[attempt.outcome]} · <When at={attempt.ended_at} />{ran(attempt)}
        {attempt.worker && <span className={css.muted}> · <bdi>{attempt.worker}</bdi></span>}
      </summary>
      <div className={css.attemptBody}>
        {(failure !== '' || typeof attempt.delay_ms === 'number') && (
          <p className={css.muted}>
            {failure}{typeof attempt.delay_ms === 'number' && `${failure === '' ? '' : ' · '}chose ${duration(attempt.delay_ms)}`}
          </p>
        )}
        {attempt.message && <pre className={css.message} tabIndex={0}>{attempt.message}</pre>}
        <div className={css.attemptActions}>
          {attempt.message && <CopyButton word="Copy message" text={() => attempt.message ?? ''} />}
          {attempt.has_stack && <Stack id={id} epoch={attempt.epoch} />}
        </div>
      </div>
    </details>
  );
}

/** A stack trace can be long: it is asked for when somebody wants it. */
function Stack({ id, epoch }: { readonly id: string; readonly epoch: number }) {
  const [open, setOpen] = useState(false);
  const query = useQuery({ ...attemptDetails(id, epoch), enabled: open });
  const stack = query.data?.stack;
  return (
    <>
      <button type="button" aria-expanded={open} onClick={() => setOpen(!open)}>{open ? 'Hide stack trace' : 'Stack trace'}</button>
      {open && typeof stack === 'string' && (
        <>
          <CopyButton word="Copy stack trace" text={() => stack} />
          <pre className={css.stack} tabIndex={0}>{stack}</pre>
        </>
      )}
      {open && query.isPending && <p className={css.muted}>Loading…</p>}
      {open && query.isError && <Problem error={query.error} onRetry={() => void query.refetch()} />}
    </>
  );
}

function ran(attempt: Attempt): string {
  if (typeof attempt.started_at !== 'string') return '';
  return ` · ${duration(Date.parse(attempt.ended_at) - Date.parse(attempt.started_at))}`;
}
