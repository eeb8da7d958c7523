// SPDX-License-Identifier: Apache-2.0
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { Cursor } from '../../api/link';
import { usePolling } from '../../api/live';
import { taskList } from '../../api/queries';
import { Empty } from '../../parts/Empty';
import { FilterBar } from '../../parts/FilterBar';
import { fromParams, toParams } from '../../parts/filters';
import type { FilterParams } from '../../parts/filters';
import { Problem } from '../../parts/Problem';
import { capped, count } from '../../parts/when';
import { TaskTable } from '../tasks/TaskTable';
import { useSteadyRows } from '../tasks/useSteadyRows';
import css from './BatchPage.module.css';

interface Props {
  readonly id: string;
  readonly runs: number;
  readonly filters: FilterParams;
  readonly cursor: Cursor;
}

/** The table of tasks with the batch fixed. */
export function BatchTasks({ id, runs, filters, cursor }: Props) {
  const navigate = useNavigate();
  const query = useQuery({ ...taskList({ ...filters, batch_id: id }, cursor), refetchInterval: usePolling() });
  const key = JSON.stringify([id, filters, cursor]);
  const shown = useSteadyRows(key, query.isPlaceholderData ? undefined : query.data?.rows);
  const address = { to: '/batches/$id', params: { id } } as const;
  const search = { view: 'table', ...filters } as const;
  return (
    <>
      <div className={css.tableBar}>
        <FilterBar
          filters={fromParams(filters)}
          onChange={(next) => void navigate({ ...address, search: { view: 'table', ...toParams(next) } })}
        />
        {query.data && <p className={css.muted}>{capped(query.data.total)} {query.data.total === 1 ? 'task' : 'tasks'}{runs > 1 && ' of all runs'}</p>}
        {shown && shown.unseen > 0 && <button type="button" onClick={shown.showAll}>{`↑ ${count(shown.unseen)} new`}</button>}
      </div>
      <section aria-label="Tasks" aria-busy={query.isFetching} className={css.panel}>
        {query.isError && <Problem error={query.error} onRetry={() => void query.refetch()} />}
        {shown && shown.rows.length === 0 && !query.isError && (
          <Empty title="No task matches."><Link {...address} search={{ view: 'table' }}>Clear filters</Link></Empty>
        )}
        {shown && shown.rows.length > 0 && <TaskTable rows={shown.rows} />}
        {!shown && !query.isError && <p className={css.loading}>Loading…</p>}
      </section>
      <nav className={css.pages} aria-label="Pages">
        {(cursor.after ?? cursor.page) !== undefined && <Link {...address} search={search}>‹ Newest</Link>}
        {query.data?.next && <Link {...address} search={{ ...search, ...query.data.next }}>Older ›</Link>}
      </nav>
    </>
  );
}
