// SPDX-License-Identifier: Apache-2.0
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { usePolling } from '../../api/live';
import type { Cursor } from '../../api/link';
import { taskList } from '../../api/queries';
import { Empty } from '../../parts/Empty';
import { FilterBar } from '../../parts/FilterBar';
import { fromParams, isEmpty, NO_FILTERS, toParams } from '../../parts/filters';
import type { Filters } from '../../parts/filters';
import { Problem } from '../../parts/Problem';
import { capped, count } from '../../parts/when';
import css from './TasksPage.module.css';
import { TaskTable } from './TaskTable';
import { useSteadyRows } from './useSteadyRows';

export function TasksPage() {
  const search = useSearch({ from: '/tasks' });
  const navigate = useNavigate();
  const filters = fromParams(search);
  const cursor: Cursor = {
    ...(search.after === undefined ? {} : { after: search.after }),
    ...(search.page === undefined ? {} : { page: search.page }),
  };
  const query = useQuery({ ...taskList(toParams(filters), cursor), refetchInterval: usePolling() });
  const shown = useSteadyRows(JSON.stringify(search), query.isPlaceholderData ? undefined : query.data?.rows);
  const change = (next: Filters) => void navigate({ to: '/tasks', search: toParams(next) });

  return (
    <>
      <title>Tasks · Perdure</title>
      <div className={css.heading}>
        <h1>Tasks</h1>
        {query.data && <p className={css.total}>{capped(query.data.total)} {query.data.total === 1 ? 'task' : 'tasks'}</p>}
        {shown && shown.unseen > 0 && (
          <button type="button" className={css.unseen} onClick={shown.showAll}>{`↑ ${count(shown.unseen)} new`}</button>
        )}
      </div>
      <FilterBar filters={filters} onChange={change} />
      <section className={css.panel} aria-label="Tasks" aria-busy={query.isFetching}>
        {query.isError && <Problem error={query.error} onRetry={() => void query.refetch()} />}
        {shown && shown.rows.length === 0 && !query.isError && (
          <NoTasks filtered={!isEmpty(filters)} onClear={() => change(NO_FILTERS)} />
        )}
        {shown && shown.rows.length > 0 && <TaskTable rows={shown.rows} />}
        {!shown && !query.isError && <p className={css.loading}>Loading…</p>}
      </section>
      <div className={css.foot}>
        <nav className={css.pages} aria-label="Pages">
          {(cursor.after ?? cursor.page) !== undefined && (
            <Link to="/tasks" search={toParams(filters)}>‹ Newest</Link>
          )}
          {query.data?.next && (
            <Link to="/tasks" search={{ ...toParams(filters), ...query.data.next }}>Older ›</Link>
          )}
        </nav>
      </div>
    </>
  );
}

function NoTasks({ filtered, onClear }: { readonly filtered: boolean; readonly onClear: () => void }) {
  if (filtered) {
    return (
      <Empty title="No task matches.">
        <button type="button" onClick={onClear}>Clear filters</button>
      </Empty>
    );
  }
  return (
    <Empty title="No tasks yet.">
      <p>Submit one:</p>
      <pre>{'echo \'{"kind":"ping"}\' | perdure submit -'}</pre>
      <p>Or start the demo:</p>
      <pre>perdure demo</pre>
    </Empty>
  );
}
