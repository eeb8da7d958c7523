// SPDX-License-Identifier: Apache-2.0
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { RotateCw } from 'lucide-react';
import { useRef, useState } from 'react';
import { deadDeliveries, redeliver } from '../../api/dead';
import type { Delivery } from '../../api/dead';
import { usePolling } from '../../api/live';
import { useMay } from '../../api/session';
import { shortId } from '../../parts/attempt';
import buttons from '../../parts/Button.module.css';
import { Empty } from '../../parts/Empty';
import { Problem } from '../../parts/Problem';
import { useAction } from '../../parts/useAction';
import { useRowKeys } from '../../parts/useRowKeys';
import { When } from '../../parts/When';
import { count } from '../../parts/when';
import { useSteadyRows } from '../tasks/useSteadyRows';
import css from './Deliveries.module.css';
import page from './DeadPage.module.css';
import { DeliveryGroups } from './DeliveryGroups';
import { deliveryCount, failureWords, targetWords } from './deliveryWords';
import { RedeliverDialog } from './RedeliverDialog';
import type { Since } from './search';

/** Deliveries that were given up. */
export function Deliveries({ after, since }: { readonly after: string | undefined; readonly since: Since }) {
  const query = useQuery({ ...deadDeliveries(after), refetchInterval: usePolling() });
  const shown = useSteadyRows(after ?? 'first', query.isPlaceholderData ? undefined : query.data?.rows);
  return (
    <>
      {shown && shown.unseen > 0 && (
        <p className={page.unseen}><button type="button" onClick={shown.showAll}>{`↑ ${count(shown.unseen)} new`}</button></p>
      )}
      <DeliveryGroups since={since} />
      <section className={page.panel} aria-label="Deliveries that were given up" aria-busy={query.isFetching}>
        {query.isError && <Problem error={query.error} onRetry={() => void query.refetch()} />}
        {!shown && !query.isError && <p className={page.loading}>Loading…</p>}
        {shown && shown.rows.length === 0 && !query.isError && <Empty title="No webhook has been given up." />}
        {shown && shown.rows.length > 0 && <Table rows={shown.rows} fresh={query.data?.rows ?? []} />}
      </section>
      <nav className={page.pages} aria-label="Pages">
        {after !== undefined && <Link to="/dead" search={{ tab: 'deliveries' }}>‹ Newest</Link>}
        {query.data?.next?.after !== undefined && (
          <Link to="/dead" search={{ tab: 'deliveries', after: query.data.next.after }}>Older ›</Link>
        )}
      </nav>
    </>
  );
}

interface TableProps {
  readonly rows: readonly { readonly row: Delivery }[];
  readonly fresh: readonly Delivery[];
}

function Table({ rows, fresh }: TableProps) {
  const table = useRef<HTMLTableElement>(null);
  const mayAct = useMay('operate');
  useRowKeys(table, mayAct ? { r: 'Redeliver the focused row' } : {});
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [asked, setAsked] = useState<readonly string[] | null>(null);
  const again = useAction((row: Delivery) => redeliver(row.id), (row) => `${targetWords(row)} will be sent again shortly.`);
  const dead = new Set(fresh.map(({ id }) => id));
  const some = rows.map(({ row }) => row.id).filter((id) => chosen.has(id) && dead.has(id));
  const toggle = (id: string) => setChosen((was) => new Set(was.has(id) ? [...was].filter((other) => other !== id) : [...was, id]));
  return (
    <div className={css.scroll}>
      <table ref={table} className={css.table}>
        <thead>
          <tr>
            {mayAct && <th scope="col" className={css.check}><span className={css.hidden}>Selected</span></th>}
            <th scope="col" className={css.target}>To</th>
            <th scope="col" className={css.trigger}>Trigger</th>
            <th scope="col" className={css.task}>Task</th>
            <th scope="col">Failure</th>
            <th scope="col" className={css.tries}>Attempts</th>
            <th scope="col" className={css.when}>Given up</th>
            {mayAct && <th scope="col" className={css.actions}><span className={css.hidden}>Actions</span></th>}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ row }) => (
            <Row
              key={row.id} row={row} gone={!dead.has(row.id)} chosen={chosen.has(row.id)}
              {...(mayAct ? { onRedeliver: () => again.mutate(row), onToggle: () => toggle(row.id) } : {})}
            />
          ))}
        </tbody>
      </table>
      {some.length > 0 && <p className={css.some}><button type="button" onClick={() => setAsked(some)}>Redeliver {deliveryCount(some.length, false)}…</button></p>}
      {asked && <RedeliverDialog target={{ ids: asked }} onClose={() => { setAsked(null); setChosen(new Set()); }} />}
    </div>
  );
}

interface RowProps {
  readonly row: Delivery;
  readonly gone: boolean;
  readonly chosen: boolean;
  readonly onRedeliver?: () => void;
  readonly onToggle?: () => void;
}

function Row({ row, gone, chosen, onRedeliver, onToggle }: RowProps) {
  const target = targetWords(row);
  const failure = failureWords(row);
  return (
    <tr className={gone ? css.gone : undefined} title={gone ? 'No longer given up' : undefined}>
      {onToggle && (
        <td className={css.check}><input type="checkbox" aria-label={`Select ${target}`} checked={chosen && !gone} disabled={gone} onChange={onToggle} /></td>
      )}
      <td title={target} className={css.target}><bdi>{target}</bdi></td>
      <td className={css.trigger}>{row.trigger}</td>
      <td className={css.task}>
        <Link to="/tasks/$id" params={{ id: row.task_id }}>{shortId(row.task_id)}</Link>
        <span className={css.below}>{row.trigger} · {target} · {failure}</span>
      </td>
      <td title={failure} className={css.failure}>{failure}</td>
      <td className={css.tries}>{count(row.attempt + 1)}</td>
      <td className={css.when}><When at={row.ended_at ?? row.last_updated} /></td>
      {onRedeliver && (
        <td className={css.actions}>
          <button type="button" className={buttons.labelled} disabled={gone} onClick={onRedeliver} aria-keyshortcuts="r" aria-label={`Redeliver to ${target}`} title="Redeliver (r)">
            <RotateCw size={14} strokeWidth={1.75} aria-hidden="true" /> Redeliver
          </button>
        </td>
      )}
    </tr>
  );
}
