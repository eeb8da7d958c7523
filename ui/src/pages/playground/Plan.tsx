// SPDX-License-Identifier: Apache-2.0
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Explanation } from '../../api/policies';
import { ApiError } from '../../api/problem';
import { Problem } from '../../parts/Problem';
import { Select } from '../../parts/Select';
import { endWords, planRows, policyWords } from '../../policy/plan';
import type { PlanRow } from '../../policy/plan';
import { PlanChart } from '../../policy/PlanChart';
import css from './Playground.module.css';
import { FAILURES } from './presets';

interface Failure {
  readonly value: string;
  readonly retryAfter: string;
}

interface Props {
  readonly query: UseQueryResult<Explanation>;
  readonly failure: Failure;
  readonly pinned: readonly PlanRow[] | null;
  readonly onFailure: (failure: Failure) => void;
  readonly pinButton: (rows: readonly PlanRow[]) => ReactNode;
}

/** What the policy does: in words, then as bars. */
export function Plan({ query, failure, pinned, onFailure, pinButton }: Props) {
  const { data, error } = query;
  const refused = error instanceof ApiError && error.status === 400;
  const rows = data ? planRows(data) : [];
  return (
    <>
      {refused && <p className={css.note}>The plan follows when the policy can be read.</p>}
      {error && !refused && <Problem error={error} onRetry={() => void query.refetch()} />}
      {!data && !error && <p className={css.muted}>Loading…</p>}
      {data && !error && (
        <>
          <div className={css.words}>
            {policyWords(data).map((line) => <p key={line}>{line}</p>)}
            <p>{endWords(data)}</p>
          </div>
          <PlanChart rows={rows} pinned={pinned} label={`${policyWords(data).join(' ')} ${endWords(data)}`} />
        </>
      )}
      <div className={css.whatIf}>
        <Select label="What if it fails with" value={failure.value} options={FAILURES} onChange={(value) => onFailure({ ...failure, value })} />
        {failure.value !== '' && (
          <label className={css.inline}>
            Retry-After
            <input className={css.short} inputMode="numeric" placeholder="none" value={failure.retryAfter} onChange={(event) => onFailure({ ...failure, retryAfter: event.target.value })} /> s
          </label>
        )}
        {data && !error && pinButton(rows)}
      </div>
    </>
  );
}
