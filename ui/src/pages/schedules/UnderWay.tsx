// SPDX-License-Identifier: Apache-2.0
import { Link } from '@tanstack/react-router';
import { Ban, RotateCw } from 'lucide-react';
import { useState } from 'react';
import type { RetryUnderWay } from '../../api/schedules';
import { useMay } from '../../api/session';
import buttons from '../../parts/Button.module.css';
import { Confirm } from '../../parts/Confirm';
import { When } from '../../parts/When';
import css from './Schedules.module.css';

interface Props {
  readonly retry: RetryUnderWay;
  readonly onCancel: () => void;
}

/** A retry of the schedule that waits or runs, with its place in the policy. */
export function UnderWay({ retry, onCancel }: Props) {
  const [asking, setAsking] = useState(false);
  const mayCancel = useMay('operate');
  const failure = [retry.failure_code, retry.failure_reason].filter(Boolean).join(': ') || retry.failure_kind;
  return (
    <div className={css.underWay} role="group" aria-label="Retry under way">
      <p className={css.underWayTitle}><RotateCw size={14} strokeWidth={1.75} aria-hidden="true" /> Retry under way</p>
      <p>
        <span className={css.badge}>{retry.badge ?? `attempt ${retry.attempt + 1}`}</span>
        {typeof retry.next_retry_at === 'string' && <> · <When at={retry.next_retry_at} past="due" /></>}
        {typeof retry.next_retry_at !== 'string' && ' · running'}
      </p>
      {failure && <p className={css.failure} title={failure}>{failure}</p>}
      <p className={css.underWayFoot}>
        {typeof retry.task === 'string' && <Link to="/tasks/$id" params={{ id: retry.task }}>See the task</Link>}
        {typeof retry.task !== 'string' && <Link to="/batches/$id" params={{ id: retry.batch_id }}>See the batch</Link>}
        {mayCancel && (
          <button type="button" className={buttons.labelled} onClick={() => setAsking(true)}>
            <Ban size={14} strokeWidth={1.75} aria-hidden="true" /> Cancel it
          </button>
        )}
      </p>
      <Confirm
        title="Cancel the retry?" action="Cancel the retry" open={asking}
        onClose={() => setAsking(false)} onConfirm={onCancel}
      >
        <p>
          {typeof retry.task === 'string' ? 'This task is not tried again.' : 'This batch does not run again.'}{' '}
          The schedule and its other retries go on.
        </p>
      </Confirm>
    </div>
  );
}
