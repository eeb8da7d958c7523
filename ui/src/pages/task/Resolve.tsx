// SPDX-License-Identifier: Apache-2.0
import { useState } from 'react';
import buttons from '../../parts/Button.module.css';
import { Dialog } from '../../parts/Dialog';
import css from './TaskPage.module.css';

interface Props {
  readonly name: string;
  readonly onClose: () => void;
  readonly onResolve: (reason: string) => void;
}

/** Asks why a failed task counts as succeeded. */
export function Resolve({ name, onClose, onResolve }: Props) {
  const [reason, setReason] = useState('');
  const resolve = () => {
    onResolve(reason.trim());
    onClose();
  };
  return (
    <Dialog
      title="Mark as succeeded?" open onClose={onClose} closeWord="Leave it"
      actions={<button type="button" className={buttons.primary} disabled={reason.trim() === ''} onClick={resolve}>Mark as succeeded</button>}
    >
      <p>No attempt is made. Tasks that depend on <bdi>{name}</bdi> can start.</p>
      <label className={css.field}>
        Reason, for the history and the audit log
        <input value={reason} onChange={(event) => setReason(event.target.value)} placeholder="imported by hand" />
      </label>
    </Dialog>
  );
}
