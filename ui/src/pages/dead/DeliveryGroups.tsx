// SPDX-License-Identifier: Apache-2.0
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronDown, ChevronRight, RotateCw } from 'lucide-react';
import { useId, useState } from 'react';
import { serverClock } from '../../api/clock';
import { deliveryGroups } from '../../api/deliveries';
import type { DeliveryFilter, DeliveryGroup } from '../../api/deliveries';
import { usePolling } from '../../api/live';
import { useMay } from '../../api/session';
import { shortId } from '../../parts/attempt';
import buttons from '../../parts/Button.module.css';
import { CopyButton } from '../../parts/CopyButton';
import { Problem } from '../../parts/Problem';
import { exact } from '../../parts/when';
import css from './DeadPage.module.css';
import { deliveryCount, deliveryGroupTitle } from './deliveryWords';
import { spanWords } from './groups';
import { RedeliverDialog } from './RedeliverDialog';
import type { Since } from './search';

/** Deliveries that were given up, in groups of the same host, status and failure. */
export function DeliveryGroups({ since }: { readonly since: Since }) {
  const query = useQuery({ ...deliveryGroups(since), refetchInterval: usePolling() });
  // Not in the group, which is gone as soon as all of it is sent again.
  const [asked, setAsked] = useState<DeliveryFilter | null>(null);
  return (
    <>
      {query.isError && <Problem error={query.error} onRetry={() => void query.refetch()} />}
      {query.data && query.data.length > 0 && (
        <section className={css.panel} aria-label="Deliveries in groups">
          <ul className={css.groups}>
            {query.data.map((group) => (
              <Group key={JSON.stringify([group.host, group.status, group.failure_kind])} group={group} since={since} onRedeliver={setAsked} />
            ))}
          </ul>
        </section>
      )}
      {asked && <RedeliverDialog target={{ filter: asked }} onClose={() => setAsked(null)} />}
    </>
  );
}

interface GroupProps {
  readonly group: DeliveryGroup;
  readonly since: Since;
  readonly onRedeliver: (filter: DeliveryFilter) => void;
}

function Group({ group, since, onRedeliver }: GroupProps) {
  const [open, setOpen] = useState(false);
  const mayAct = useMay('operate');
  const details = useId();
  const { host, status, failure_kind: failure, sample } = group;
  const title = deliveryGroupTitle(group);
  const [first, last] = [Date.parse(group.first_at), Date.parse(group.last_at)];
  const Chevron = open ? ChevronDown : ChevronRight;
  return (
    <li className={css.group}>
      <div className={css.head}>
        <h2 className={css.title}><bdi>{title}</bdi></h2>
        <p className={css.count}>{deliveryCount(group.count, group.capped)}</p>
        <p className={css.facts} title={`${exact(first)} – ${exact(last)}`}>{spanWords(first, last, serverClock.now())}</p>
        <div className={css.actions}>
          {mayAct && (
            <button
              type="button" className={buttons.labelled} aria-label={`Redeliver ${title}…`}
              onClick={() => onRedeliver({ state: 'dead', host, status, failure_kind: failure, since })}
            >
              <RotateCw size={14} strokeWidth={1.75} aria-hidden="true" /> Redeliver…
            </button>
          )}
          <button
            type="button" className={buttons.icon} aria-expanded={open} aria-controls={details}
            aria-label={`Message of ${title}`} onClick={() => setOpen(!open)}
          >
            <Chevron size={16} strokeWidth={1.75} aria-hidden="true" />
          </button>
        </div>
      </div>
      <div id={details} hidden={!open}>
        {open && (
          <div className={css.details}>
            {sample.message !== null && <pre className={css.message}><bdi>{sample.message}</bdi></pre>}
            <div className={css.row}>
              {sample.message !== null && <CopyButton word="Copy message" text={() => sample.message ?? ''} />}
              <span className={css.muted}>The newest is of the task <Link to="/tasks/$id" params={{ id: sample.task_id }}>{shortId(sample.task_id)}</Link>.</span>
            </div>
          </div>
        )}
      </div>
    </li>
  );
}
