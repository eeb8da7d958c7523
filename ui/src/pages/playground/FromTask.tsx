// SPDX-License-Identifier: Apache-2.0
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { FormEvent } from 'react';
import { api, bodyOf } from '../../api/client';
import type { TaskDetails } from '../../api/client';
import { formatJson, parseExact } from '../../api/json';
import buttons from '../../parts/Button.module.css';
import { Dialog } from '../../parts/Dialog';
import { problemWords } from '../../parts/problemWords';
import css from './Playground.module.css';
import { failuresOf } from './presets';
import type { TaskFailures } from './presets';

interface Props {
  readonly onTask: (policy: string, failures: TaskFailures | null) => void;
}

/** Loads the policy of a task, with the failures that it had. */
export function FromTask({ onTask }: Props) {
  const [open, setOpen] = useState(false);
  const [id, setId] = useState('');
  const load = useMutation({
    mutationFn: async () => {
      const text = bodyOf(await api.GET('/task/{id}', { params: { path: { id: id.trim() } }, parseAs: 'text' }));
      return parseExact(text) as TaskDetails;
    },
    onSuccess: (task) => {
      onTask(formatJson(task.retry_canonical ?? task.retry ?? { max_retries: 0 }), failuresOf(task));
      setOpen(false);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    load.mutate();
  };
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>From task…</button>
      <Dialog
        title="Load a task's policy" open={open} onClose={() => setOpen(false)} closeWord="Cancel"
        actions={<button type="submit" form="from-task" className={buttons.primary} disabled={load.isPending || id.trim() === ''}>Load</button>}
      >
        <form id="from-task" className={css.words} onSubmit={submit}>
          <label className={css.words}>
            Id of the task
            <input value={id} autoFocus onChange={(event) => setId(event.target.value)} />
          </label>
          {load.isError && <p className={css.error} role="alert">{problemWords(load.error).title} {problemWords(load.error).detail}</p>}
        </form>
      </Dialog>
    </>
  );
}
