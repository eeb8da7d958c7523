// SPDX-License-Identifier: Apache-2.0
import { Dialog as Base } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import css from './Dialog.module.css';

interface Props {
  readonly title: string;
  readonly open: boolean;
  readonly onClose: () => void;
  /** Buttons at the bottom, besides "Close". */
  readonly actions?: ReactNode;
  readonly closeWord?: string;
  readonly children: ReactNode;
}

/** A dialog. Esc and a click outside close it, and the focus returns to where it was. */
export function Dialog({ title, open, onClose, actions, closeWord = 'Close', children }: Props) {
  return (
    <Base.Root open={open} onOpenChange={(next) => next || onClose()}>
      <Base.Portal>
        <Base.Backdrop className={css.backdrop ?? ''} />
        <Base.Popup className={css.popup ?? ''}>
          <Base.Title>{title}</Base.Title>
          {children}
          <div className={css.actions}>
            <Base.Close>{closeWord}</Base.Close>
            {actions}
          </div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
