// SPDX-License-Identifier: Apache-2.0
import { Pause } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useMay } from '../../api/session';
import buttons from '../../parts/Button.module.css';

const BulkDialog = lazy(async () => ({ default: (await import('../../parts/BulkDialog')).BulkDialog }));

/** Tasks in these states have yet to start. */
const STARTING = 'Waiting,Pending,RetryPending';

/** Stops tasks of one kind from starting, after asking. */
export function PauseKind({ kind }: { readonly kind: string }) {
  const [open, setOpen] = useState(false);
  if (!useMay('operate')) return null;
  return (
    <>
      <button type="button" className={buttons.labelled} onClick={() => setOpen(true)}>
        <Pause size={14} strokeWidth={1.75} aria-hidden="true" /> Pause the kind…
      </button>
      {open && (
        <Suspense>
          <BulkDialog action="pause" target={{ filter: { kind: `=${kind}`, status: STARTING } }} open onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
