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
      title="Count it as succeeded?" open onClose={onClose} closeWord="Leave it"
      actions={<button type="button" className={buttons.primary} disabled={reason.trim() === ''} onClick={resolve}>Count it as succeeded</button>}
    >
      <p>Nothing runs. Tasks that depend on <bdi>{name}</bdi> go on.</p>
      <label className={css.field}>
        Reason, for the history and the audit log
        <input value={reason} onChange={(event) => setReason(event.target.value)} placeholder="imported by hand" />
      </label>
    </Dialog>
  );
}
