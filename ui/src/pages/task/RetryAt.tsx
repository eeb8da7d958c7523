// SPDX-License-Identifier: Apache-2.0
import { useState } from 'react';
import { serverClock } from '../../api/clock';
import type { TaskDetails } from '../../api/client';
import buttons from '../../parts/Button.module.css';
import { Dialog } from '../../parts/Dialog';
import { relative } from '../../parts/when';
import { fromLocal, toLocal } from './localTime';
import css from './TaskPage.module.css';

interface Props {
  readonly task: Pick<TaskDetails, 'next_retry_at' | 'run_at'>;
  readonly onClose: () => void;
  readonly onMove: (at: string) => void;
}

/** Asks for another time. It is in the zone of the viewer. */
export function RetryAt({ task, onClose, onMove }: Props) {
  const [text, setText] = useState(() => toLocal(Math.max(serverClock.now(), Date.parse(task.next_retry_at ?? task.run_at))));
  const at = fromLocal(text);
  const move = () => {
    if (at === null) return;
    onMove(new Date(at).toISOString());
    onClose();
  };
  return (
    <Dialog
      title="Retry at another time" open onClose={onClose} closeWord="Keep it"
      actions={<button type="button" className={buttons.primary} disabled={at === null} onClick={move}>Move the retry</button>}
    >
      <label className={css.field}>
        When, in your time zone ({Intl.DateTimeFormat().resolvedOptions().timeZone})
        <input type="datetime-local" step={1} value={text} onChange={(event) => setText(event.target.value)} />
      </label>
      <p className={css.muted}>{at === null ? 'Give a date and a time.' : `That is ${relative(at, serverClock.now())}.`}</p>
    </Dialog>
  );
}
