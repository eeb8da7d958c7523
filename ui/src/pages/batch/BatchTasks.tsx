// SPDX-License-Identifier: Apache-2.0
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import type { BulkAction } from '../../api/actions';
import type { TaskRow } from '../../api/client';
import type { BatchDetails } from '../../api/batches';
import { serverClock } from '../../api/clock';
import type { Cursor } from '../../api/link';
import { usePolling } from '../../api/live';
import { taskList } from '../../api/queries';
import { useMay } from '../../api/session';
import { bulkFilterOf } from '../../parts/bulk';
import type { BulkTarget } from '../../parts/bulk';
import { Empty } from '../../parts/Empty';
import { FilterBar } from '../../parts/FilterBar';
import { fromParams, toParams } from '../../parts/filters';
import type { FilterParams } from '../../parts/filters';
import { Problem } from '../../parts/Problem';
import { ALL, NONE, within } from '../../parts/selection';
import type { Selection } from '../../parts/selection';
import { atLeast, clockOf, count } from '../../parts/when';
import { Time } from '../../parts/When';
import { BulkBar } from '../tasks/BulkBar';
import { Facets } from '../tasks/Facets';
import { TaskTable } from '../tasks/TaskTable';
import { useRowActions } from '../tasks/useRowActions';
import { useSteadyRows } from '../tasks/useSteadyRows';
import css from './BatchPage.module.css';
import { withinRun } from './runFilter';

const BulkDialog = lazy(async () => ({ default: (await import('../../parts/BulkDialog')).BulkDialog }));

interface Props {
  readonly batch: BatchDetails;
  /** The run, from 0. */
  readonly run: number;
  readonly filters: FilterParams;
  readonly cursor: Cursor;
}

/** The table of tasks with one run of the batch fixed. */
export function BatchTasks({ batch, run, filters, cursor }: Props) {
  const navigate = useNavigate();
  const mayAct = useMay('operate');
  const asked = withinRun(filters, batch, run);
  const query = useQuery({ ...taskList(asked, cursor), refetchInterval: usePolling() });
  const key = JSON.stringify([asked, cursor]);
  const shown = useSteadyRows(key, query.isPlaceholderData ? undefined : query.data?.rows);
  const [chosen, setChosen] = useState<{ readonly key: string; readonly selection: Selection }>({ key: '', selection: NONE });
  const [acting, setActing] = useState<{ readonly action: BulkAction; readonly target: BulkTarget } | null>(null);
  const selection = chosen.key === key ? chosen.selection : NONE;
  const select = (next: Selection) => setChosen({ key, selection: next });
  const rows = shown?.rows.map(({ row }) => row) ?? [];
  const selected = new Set(within(selection, rows.map(({ id }) => id)));
  const bulk = bulkFilterOf(asked);
  const ask = (action: BulkAction, tasks: readonly TaskRow[]) => setActing({
    action, target: selection.all && 'filter' in bulk ? bulk : { tasks },
  });
  const onAct = useRowActions(ask);
  const total = query.data ? atLeast(query.data.total, query.data.exact) : '';
  const place = { view: 'table' as const, ...(run === batch.run ? {} : { run: String(run + 1) }) };
  const addressOf = (params: FilterParams, page: Cursor = {}) =>
    ({ to: '/batches/$id', params: { id: batch.batch_id }, search: { ...place, ...params, ...page } }) as const;
  return (
    <>
      <div className={css.tableBar}>
        <FilterBar filters={fromParams(filters)} onChange={(next) => void navigate(addressOf(toParams(next)))} />
        {query.data && <p className={css.muted}>{total} {total === '1' ? 'task' : 'tasks'}</p>}
        {shown && shown.unseen > 0 && <button type="button" onClick={shown.showAll}>{`↑ ${count(shown.unseen)} new`}</button>}
      </div>
      <Facets filters={fromParams(filters)} counted={asked} linkTo={addressOf} />
      <section aria-label="Tasks" aria-busy={query.isFetching} className={css.panel}>
        {query.isError && <Problem error={query.error} onRetry={() => void query.refetch()} />}
        {shown && shown.rows.length === 0 && !query.isError && (
          <Empty title="No task matches."><Link {...addressOf({})}>Clear filters</Link></Empty>
        )}
        {shown && shown.rows.length > 0 && (
          <TaskTable rows={shown.rows} selection={selection} canAll={'filter' in bulk} {...(mayAct ? { onSelect: select, onAct } : {})} />
        )}
        {query.data?.reached && (
          <p className={css.muted}>
            Looked through {count(query.data.lookedAt)} tasks, back to <Time at={query.data.reached}>{clockOf(Date.parse(query.data.reached), { now: serverClock.now() })}</Time>.{' '}
            {query.data.next && <Link {...addressOf(filters, query.data.next)}>Keep looking</Link>}
          </p>
        )}
        {!shown && !query.isError && <p className={css.loading}>Loading…</p>}
      </section>
      <nav className={css.pages} aria-label="Pages">
        {(cursor.after ?? cursor.page) !== undefined && <Link {...addressOf(filters)}>‹ Newest</Link>}
        {query.data?.next && <Link {...addressOf(filters, query.data.next)}>Older ›</Link>}
      </nav>
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
