// SPDX-License-Identifier: Apache-2.0
import { AlertDialog } from '@base-ui/react/alert-dialog';
import type { ReactNode } from 'react';
import buttons from './Button.module.css';
import css from './Dialog.module.css';

interface Props {
  readonly title: string;
  readonly open: boolean;
  /** The verb of the button that does it, such as "Delete the schedule". */
  readonly action: string;
  /** The word of the button that does not do it. */
  readonly keep?: string;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  /** What will happen. */
  readonly children: ReactNode;
}

/** Asks before something that cannot be undone. The button that does nothing has the focus first. */
export function Confirm({ title, open, action, keep = 'Keep it', onConfirm, onClose, children }: Props) {
  return (
    <AlertDialog.Root open={open} onOpenChange={(next) => next || onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={css.backdrop ?? ''} />
        <AlertDialog.Popup className={css.popup ?? ''}>
          <AlertDialog.Title>{title}</AlertDialog.Title>
          <AlertDialog.Description className={css.text ?? ''} render={<div />}>{children}</AlertDialog.Description>
          <div className={css.actions}>
            <AlertDialog.Close>{keep}</AlertDialog.Close>
            <AlertDialog.Close className={buttons.danger ?? ''} onClick={onConfirm}>{action}</AlertDialog.Close>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
