// SPDX-License-Identifier: Apache-2.0
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { usePolling } from '../../api/live';
import { scheduleList } from '../../api/schedules';
import { useMay } from '../../api/session';
import { Empty } from '../../parts/Empty';
import { Problem } from '../../parts/Problem';
import { ScheduleCard } from './ScheduleCard';
import css from './Schedules.module.css';

export function SchedulesPage() {
  const { after } = useSearch({ from: '/schedules' });
  const mayEdit = useMay('admin');
  const query = useQuery({ ...scheduleList(after), refetchInterval: usePolling() });
  return (
    <>
      <title>Schedules · Perdure</title>
      <div className={css.heading}>
        <h1>Schedules</h1>
        {mayEdit && (
          <Link className={css.primary ?? ''} to="/schedules/new">
            <Plus size={14} strokeWidth={1.75} aria-hidden="true" /> New schedule
          </Link>
        )}
      </div>
      {query.isError && !query.data && <Problem error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <p className={css.muted}>Loading…</p>}
      {query.data?.rows.length === 0 && (
        <Empty title="No schedules yet.">{mayEdit && <p><Link to="/schedules/new">New schedule</Link></p>}</Empty>
      )}
      {query.data && (
        <ul className={css.cards}>{query.data.rows.map((row) => <ScheduleCard key={row.id} schedule={row} />)}</ul>
      )}
      <nav className={css.pages} aria-label="Pages">
        {after !== undefined && <Link to="/schedules" search={{}}>‹ First</Link>}
        {query.data?.next?.after !== undefined && <Link to="/schedules" search={{ after: query.data.next.after }}>More ›</Link>}
      </nav>
    </>
  );
}
