// SPDX-License-Identifier: Apache-2.0
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Explanation } from '../../api/policies';
import { ApiError } from '../../api/problem';
import { Problem } from '../../parts/Problem';
import { Select } from '../../parts/Select';
import { endWords, planRows, policySentence, properties } from '../../policy/plan';
import type { PlanRow } from '../../policy/plan';
import { PlanChart } from '../../policy/PlanChart';
import own from './Plan.module.css';
import css from './Playground.module.css';
import { FAILURES, OF_TASK } from './presets';
import type { TaskFailures } from './presets';

interface Failure {
  readonly value: string;
  readonly retryAfter: string;
}

interface Props {
  readonly query: UseQueryResult<Explanation>;
  readonly failure: Failure;
  /** Those of a real task, if one was loaded. */
  readonly ofTask: TaskFailures | null;
  readonly pinned: readonly PlanRow[] | null;
  readonly onFailure: (failure: Failure) => void;
  readonly pinButton: (rows: readonly PlanRow[]) => ReactNode;
}

/** What the policy does: in words, then as bars. */
export function Plan({ query, failure, ofTask, pinned, onFailure, pinButton }: Props) {
  const { data, error } = query;
  const refused = error instanceof ApiError && error.status === 400;
  const rows = data ? planRows(data) : [];
  const options = ofTask ? [{ value: OF_TASK, word: ofTask.words }, ...FAILURES] : FAILURES;
  return (
    <>
      {refused && <p className={css.note}>The plan appears once the policy is valid.</p>}
      {error && !refused && <Problem error={error} onRetry={() => void query.refetch()} />}
      {!data && !error && <p className={css.muted}>Loading…</p>}
      {data && !error && (
        <>
          <div className={css.words}>
            <p>{policySentence(data)}</p>
            <p>{endWords(data)}</p>
          </div>
          <PlanChart rows={rows} pinned={pinned} label={`${policySentence(data)} ${endWords(data)}`} />
          <dl className={own.properties}>
            {properties(data).map(({ label, text }) => <div key={label + text}><dt>{label}</dt><dd>{text}</dd></div>)}
          </dl>
        </>
      )}
      <div className={css.whatIf}>
        <Select label="What if it fails with" value={failure.value} options={options} onChange={(value) => onFailure({ ...failure, value })} />
        {failure.value !== '' && failure.value !== OF_TASK && (
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
