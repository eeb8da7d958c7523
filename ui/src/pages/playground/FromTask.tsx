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

interface Props {
  readonly onPolicy: (text: string) => void;
}

/** Takes the policy of a task. */
export function FromTask({ onPolicy }: Props) {
  const [open, setOpen] = useState(false);
  const [id, setId] = useState('');
  const load = useMutation({
    mutationFn: async () => {
      const text = bodyOf(await api.GET('/task/{id}', { params: { path: { id: id.trim() } }, parseAs: 'text' }));
      return parseExact(text) as TaskDetails;
    },
    onSuccess: ({ retry, retry_canonical: canonical }) => {
      onPolicy(formatJson(canonical ?? retry ?? { max_retries: 0 }));
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
        title="Take the policy of a task" open={open} onClose={() => setOpen(false)} closeWord="Cancel"
        actions={<button type="submit" form="from-task" className={buttons.primary} disabled={load.isPending || id.trim() === ''}>Take it</button>}
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
