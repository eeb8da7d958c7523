// SPDX-License-Identifier: Apache-2.0
import { Pause } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { useMay } from '../../api/session';
import buttons from '../../parts/Button.module.css';

const BulkDialog = lazy(async () => ({ default: (await import('../../parts/BulkDialog')).BulkDialog }));

/** Tasks in these states have yet to start. */
const STARTING = 'Waiting,Pending,RetryPending';

interface Props {
  readonly kind: string;
  readonly onClick: () => void;
}

/** Asks to stop tasks of one kind from starting. */
export function PauseKindButton({ kind, onClick }: Props) {
  if (!useMay('operate')) return null;
  return (
    <button type="button" className={buttons.labelled} aria-label={`Pause the kind ${kind}…`} onClick={onClick}>
      <Pause size={14} strokeWidth={1.75} aria-hidden="true" /> Pause the kind…
    </button>
  );
}

/** Stays while the sentences change: the kind that was asked about is the one that is paused. */
export function PauseKindDialog({ kind, onClose }: { readonly kind: string; readonly onClose: () => void }) {
  return (
    <Suspense>
      <BulkDialog action="pause" target={{ filter: { kind: `=${kind}`, status: STARTING } }} open onClose={onClose} />
    </Suspense>
  );
}
