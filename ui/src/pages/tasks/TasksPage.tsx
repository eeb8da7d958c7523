// SPDX-License-Identifier: Apache-2.0
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { BulkAction } from '../../api/actions';
import type { TaskRow } from '../../api/client';
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
import { serverClock } from '../../api/clock';
import { useMay } from '../../api/session';
import { Time } from '../../parts/When';
import { atLeast, clockOf, count } from '../../parts/when';
import { BulkBar } from './BulkBar';
import { Facets } from './Facets';
import css from './TasksPage.module.css';
import { columnsOf, readTaskSearch, reachWords, viewOf } from './search';
import type { TaskView } from './search';
import { TaskTable } from './TaskTable';
import { useRowActions } from './useRowActions';
import { useSteadyRows } from './useSteadyRows';
import { ViewControls } from './ViewControls';

/** Loaded when it is needed: the list is the first page that people see. */
const BulkDialog = lazy(async () => ({ default: (await import('../../parts/BulkDialog')).BulkDialog }));

export function TasksPage() {
  const search = useSearch({ from: '/tasks' });
  const navigate = useNavigate();
  const filters = fromParams(search);
  const view = viewOf(search);
  const mayAct = useMay('operate');
  const cursor: Cursor = {
    ...(search.after === undefined ? {} : { after: search.after }),
    ...(search.page === undefined ? {} : { page: search.page }),
  };
  const query = useQuery({ ...taskList(toParams(filters), cursor, view.sort), refetchInterval: usePolling() });
  const shown = useSteadyRows(JSON.stringify(search), query.isPlaceholderData ? undefined : query.data?.rows);
  const [chosen, setChosen] = useState({ key: '', selection: NONE });
  const [acting, setActing] = useState<{ readonly action: BulkAction; readonly target: BulkTarget } | null>(null);
  const key = JSON.stringify(search);
  const selection = chosen.key === key ? chosen.selection : NONE;
  const select = (next: typeof NONE) => setChosen({ key, selection: next });
  const bulk = bulkFilterOf(toParams(filters), view.sort);
  const rows = shown?.rows.map(({ row }) => row) ?? [];
  const selected = new Set(within(selection, rows.map(({ id }) => id)));
  const ask = (action: BulkAction, tasks: readonly TaskRow[]) => setActing({
    action, target: selection.all && 'filter' in bulk ? bulk : { tasks },
  });
  const onAct = useRowActions(ask);
  const total = query.data ? atLeast(query.data.total, query.data.exact) : '';
  const go = (next: Filters, shownAs: TaskView = view) => void navigate({ to: '/tasks', search: readTaskSearch({ ...toParams(next), ...shownAs }) });
  const change = (next: Filters) => go(next);
  const here = { ...toParams(filters), ...view };

  return (
    <>
      <title>Tasks · Perdure</title>
      <div className={css.heading}>
        <h1>Tasks</h1>
        {query.data && <p className={css.total}>{total} {total === '1' ? 'task' : 'tasks'}</p>}
        {shown && shown.unseen > 0 && (
          <button type="button" className={css.unseen} onClick={shown.showAll}>{`↑ ${count(shown.unseen)} new`}</button>
        )}
        <ViewControls search={search} onView={(next) => go(filters, next)} />
      </div>
      <FilterBar filters={filters} onChange={change} />
      <Facets filters={filters} linkTo={(next) => ({ to: '/tasks', search: { ...next, ...view } })} />
      <section className={css.panel} aria-label="Tasks" aria-busy={query.isFetching}>
        {query.isError && <Problem error={query.error} onRetry={() => void query.refetch()} />}
        {shown && shown.rows.length === 0 && !query.isError && (
          <NoTasks filtered={!isEmpty(filters)} onClear={() => change(NO_FILTERS)} />
        )}
        {shown && shown.rows.length > 0 && (
          <TaskTable
            rows={shown.rows} columns={columnsOf(search)} selection={selection} canAll={'filter' in bulk}
            {...(mayAct ? { onSelect: select, onAct } : {})}
          />
        )}
        {query.data?.reached && (
          <p className={css.looked}>
            Looked through {reachWords(view.sort, count(query.data.lookedAt))} <Clock at={query.data.reached} />.{' '}
            {query.data.next && <Link to="/tasks" search={{ ...here, ...query.data.next }}>Keep looking</Link>}
          </p>
        )}
        {!shown && !query.isError && <p className={css.loading}>Loading…</p>}
      </section>
      <div className={css.foot}>
        <nav className={css.pages} aria-label="Pages">
          {(cursor.after ?? cursor.page) !== undefined && (
            <Link to="/tasks" search={here}>‹ {view.sort ? 'First' : 'Newest'}</Link>
          )}
          {query.data?.next && (
            <Link to="/tasks" search={{ ...here, ...query.data.next }}>{view.sort ? 'More' : 'Older'} ›</Link>
          )}
        </nav>
      </div>
      {selected.size > 0 && (
        <BulkBar
          words={selection.all ? `All ${total} that match` : `${count(selected.size)} selected`}
          onAll={selection.all ? null : () => select(ALL)} allWords={`Select all ${total} that match`}
          reason={'reason' in bulk ? bulk.reason : null} onAction={(action) => ask(action, rows.filter(({ id }) => selected.has(id)))} onClear={() => select(NONE)}
        />
      )}
      {acting && <Suspense><BulkDialog {...acting} open onClose={() => setActing(null)} onDone={() => select(NONE)} /></Suspense>}
    </>
  );
}

/** A list is read from its order: a time of day says where it stopped better than a distance. */
function Clock({ at }: { readonly at: string }) {
  return <Time at={at}>{clockOf(Date.parse(at), { now: serverClock.now() })}</Time>;
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
