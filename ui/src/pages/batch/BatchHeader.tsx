// SPDX-License-Identifier: Apache-2.0
import { useState } from 'react';
import type { BatchDetails } from '../../api/batches';
import { useMay } from '../../api/session';
import { shortId } from '../../parts/attempt';
import { Badge } from '../../parts/Badge';
import { StateBar } from '../../parts/StateBar';
import { useNow, When } from '../../parts/When';
import { batchState, doneWords, leftWords, partsOf, restWords } from '../batches/counts';
import { RunAgain, Stop } from './actions';
import css from './BatchPage.module.css';
import { Limits } from './Limits';
import { RunsMenu } from './RunsMenu';

interface Props {
  readonly batch: BatchDetails;
  readonly run: number;
  readonly onChooseRun: (run: number) => void;
}

export function BatchHeader({ batch, run, onChooseRun }: Props) {
  const [done, setDone] = useState('');
  const mayOperate = useMay('operate');
  const mayLimit = useMay('admin');
  const startedAt = Date.parse(batch.runs.at(-1)?.started_at ?? batch.created_at);
  const now = useNow(startedAt);
  const left = leftWords(batch, startedAt, now);
  const words = [doneWords(batch), ...restWords(batch.status_counts), ...(left === null ? [] : [left])];
  const over = batch.ended_at !== null && batch.next_run_at === null;
  const failure = batch.runs.at(-1)?.failure ?? null;
  return (
    <>
      <div className={css.heading}>
        <h1><bdi>{batch.name ?? `Batch ${shortId(batch.batch_id)}`}</bdi></h1>
        <Badge state={batchState(batch)} />
        <RunsMenu batch={batch} run={run} onChoose={onChooseRun} />
        <div className={css.actions}>
          {!over && mayOperate && <Stop batch={batch} onDone={setDone} />}
          {over && mayOperate && <RunAgain key={batch.run} batch={batch} onDone={setDone} />}
          {!over && mayLimit && <Limits batch={batch} onDone={setDone} />}
        </div>
      </div>
      <div className={css.progress}>
        <StateBar parts={partsOf(batch.status_counts)} />
        <p>
          {words.join(' · ')}
          {batch.next_run_at !== null && <> · next run <When at={batch.next_run_at} past="due" /></>}
        </p>
      </div>
      {failure !== null && <p className={css.failure}>First failure: <bdi>{failure}</bdi></p>}
      <p role="status" className={css.done}>{done}</p>
    </>
  );
}
