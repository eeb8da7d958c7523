// SPDX-License-Identifier: Apache-2.0
import { Dialog } from '@base-ui/react/dialog';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Problem } from '../../parts/Problem';
import css from './Ask.module.css';

interface Props {
  readonly trigger: ReactNode;
  readonly title: string;
  readonly action: string;
  /** Null while something is missing. */
  readonly run: (() => Promise<string>) | null;
  /** Gets what was done, in words. */
  readonly onDone: (words: string) => void;
  readonly children: ReactNode;
}

/** A button that asks before it acts. What goes wrong is said in the dialog, which stays open. */
export function Ask({ trigger, title, action, run, onDone, children }: Props) {
  const [open, setOpen] = useState(false);
  const queries = useQueryClient();
  const mutation = useMutation({
    mutationFn: async () => (run ? run() : ''),
    onSuccess: (words) => {
      setOpen(false);
      onDone(words);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['tasks'] }),
  });
  const change = (next: boolean) => {
    setOpen(next);
    if (next) mutation.reset();
  };
  return (
    <Dialog.Root open={open} onOpenChange={change}>
      <Dialog.Trigger className={css.trigger ?? ''}>{trigger}</Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Backdrop className={css.backdrop ?? ''} />
        <Dialog.Popup className={css.popup ?? ''}>
          <Dialog.Title>{title}</Dialog.Title>
          {children}
          {mutation.isError && <Problem error={mutation.error} />}
          <div className={css.buttons}>
            <Dialog.Close>Close</Dialog.Close>
            <button type="button" className={css.main} disabled={run === null || mutation.isPending} onClick={() => mutation.mutate()}>
              {action}
            </button>
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
