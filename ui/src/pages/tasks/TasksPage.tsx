// SPDX-License-Identifier: Apache-2.0
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { BulkAction } from '../../api/actions';
import { usePolling } from '../../api/live';
import type { Cursor } from '../../api/link';
import { taskList } from '../../api/queries';
import { bulkFilterOf } from '../../parts/bulk';
import type { BulkTarget } from '../../parts/bulk';
import { Empty } from '../../parts/Empty';
import { FilterBar } from '../../parts/FilterBar';
import { fromParams, isEmpty, NO_FILTERS, toParams } from '../../parts/filters';
import type { Filters } from '../../parts/filters';
import { Problem } from '../../parts/Problem';
import { ALL, NONE, within } from '../../parts/selection';
import { When } from '../../parts/When';
import { capped, count } from '../../parts/when';
import { BulkBar } from './BulkBar';
import { Facets } from './Facets';
import css from './TasksPage.module.css';
import { TaskTable } from './TaskTable';
import { useSteadyRows } from './useSteadyRows';

/** Loaded when it is needed: the list is the first page that people see. */
const BulkDialog = lazy(async () => ({ default: (await import('../../parts/BulkDialog')).BulkDialog }));

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
  const [chosen, setChosen] = useState({ key: '', selection: NONE });
  const [acting, setActing] = useState<{ readonly action: BulkAction; readonly target: BulkTarget } | null>(null);
  const key = JSON.stringify(search);
  const selection = chosen.key === key ? chosen.selection : NONE;
  const select = (next: typeof NONE) => setChosen({ key, selection: next });
  const bulk = bulkFilterOf(toParams(filters));
  const rows = shown?.rows.map(({ row }) => row) ?? [];
  const selected = new Set(within(selection, rows.map(({ id }) => id)));
  const act = (action: BulkAction) => setActing({
    action, target: selection.all && 'filter' in bulk ? bulk : { tasks: rows.filter(({ id }) => selected.has(id)) },
  });
  const total = query.data ? capped(query.data.total) : '';
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
      <Facets filters={filters} />
      <section className={css.panel} aria-label="Tasks" aria-busy={query.isFetching}>
        {query.isError && <Problem error={query.error} onRetry={() => void query.refetch()} />}
        {shown && shown.rows.length === 0 && !query.isError && (
          <NoTasks filtered={!isEmpty(filters)} onClear={() => change(NO_FILTERS)} />
        )}
        {shown && shown.rows.length > 0 && (
          <TaskTable rows={shown.rows} selection={selection} canAll={'filter' in bulk} onSelect={select} />
        )}
        {query.data?.reached && (
          <p className={css.looked}>
            Looked through {count(query.data.lookedAt)} tasks, back to <When at={query.data.reached} />.{' '}
            {query.data.next && <Link to="/tasks" search={{ ...toParams(filters), ...query.data.next }}>Keep looking</Link>}
          </p>
        )}
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
      {selected.size > 0 && (
        <BulkBar
          words={selection.all ? `All ${total} that match` : `${count(selected.size)} selected`}
          onAll={selection.all ? null : () => select(ALL)} allWords={`Select all ${total} that match`}
          reason={'reason' in bulk ? bulk.reason : null} onAction={act} onClear={() => select(NONE)}
        />
      )}
      {acting && <Suspense><BulkDialog {...acting} open onClose={() => setActing(null)} onDone={() => select(NONE)} /></Suspense>}
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
