// SPDX-License-Identifier: Apache-2.0
import { RotateCw, Square } from 'lucide-react';
import { useState } from 'react';
import { retryBatch, stopBatch } from '../../api/batches';
import type { BatchDetails } from '../../api/batches';
import { partWords } from '../../parts/stateParts';
import { isEnded } from '../../parts/states';
import { count } from '../../parts/when';
import { partsOf } from '../batches/counts';
import { Ask } from './Ask';
import css from './Ask.module.css';

interface Props {
  readonly batch: BatchDetails;
  readonly onDone: (words: string) => void;
}

const tasks = (number: number) => `${count(number)} ${number === 1 ? 'task' : 'tasks'}`;

export function Stop({ batch, onDone }: Props) {
  const live = partsOf(batch.status_counts).filter(({ state }) => !isEnded(state));
  const number = live.reduce((sum, part) => sum + part.count, 0);
  const run = async () => {
    const { batch_id: _, already_terminal: ended, ...canceled } = await stopBatch(batch.batch_id);
    const total = Object.values(canceled).reduce((sum: number, one) => sum + (typeof one === 'number' ? one : 0), 0);
    return `Stopped. ${tasks(total)} canceled, ${count(ended)} had ended before.`;
  };
  return (
    <Ask
      trigger={<><Square size={14} strokeWidth={1.75} aria-hidden="true" /> Stop</>} title="Stop this batch?"
      action="Stop the batch" run={run} onDone={onDone}
    >
      {number > 0 && <p>{tasks(number)} will be canceled: {live.map(partWords).join(', ')}.</p>}
      {batch.next_run_at !== null && <p>Its next run will not start.</p>}
      <p className={css.muted}>A task that ends at the same moment keeps its result.</p>
    </Ask>
  );
}

export function RunAgain({ batch, onDone }: Props) {
  const failed = batch.status_counts.failure;
  const [choice, setChoice] = useState<'failed' | 'new'>('failed');
  const what = failed === 0 ? 'new' : choice;
  const run = async () => {
    const done = await retryBatch(batch.batch_id, what, batch.run);
    if (what === 'new') return done.next_run_at === null ? `Run ${done.run + 1} has started.` : `Run ${done.run + 1} is due.`;
    return `${tasks(done.revived)} of ${count(done.failed)} that failed run again; the others wait for them.`;
  };
  return (
    <Ask
      trigger={<><RotateCw size={14} strokeWidth={1.75} aria-hidden="true" /> Run again</>} title="Run again?"
      action={what === 'new' ? `Run all ${tasks(batch.total_tasks)}` : 'Run what failed'} run={run} onDone={onDone}
    >
      {failed > 0 && (
        <label className={css.choice}>
          <input type="radio" name="run" checked={what === 'failed'} onChange={() => setChoice('failed')} />
          <span>What failed: up to {tasks(failed)}, with their retries counted from zero. Tasks that failed only because of others wait for them again.</span>
        </label>
      )}
      <label className={css.choice}>
        <input type="radio" name="run" checked={what === 'new'} onChange={() => setChoice('new')} />
        <span>Everything: {tasks(batch.total_tasks)} under new ids, as run {batch.run + 2}.</span>
      </label>
    </Ask>
  );
}
