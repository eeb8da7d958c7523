// SPDX-License-Identifier: Apache-2.0
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { batch as batchQuery } from '../../api/batches';
import type { BatchDetails } from '../../api/batches';
import { pollEvery, usePolling } from '../../api/live';
import { Problem } from '../../parts/Problem';
import { BatchHeader } from './BatchHeader';
import css from './BatchPage.module.css';
import { BatchTasks } from './BatchTasks';
import { Drawings } from './Drawings';
import type { BatchSearch, BatchView } from './search';

/** Progress counters are not announced by events. */
const RUNNING_MS = 2_000;

const VIEWS: readonly (readonly [BatchView, string])[] = [['graph', 'Graph'], ['gantt', 'Gantt'], ['table', 'Table']];

export function BatchPage() {
  const { id } = useParams({ from: '/batches/$id' });
  const polling = usePolling();
  const query = useQuery({
    ...batchQuery(id),
    refetchInterval: ({ state }) => ((state.data?.status_counts.running ?? 0) > 0 ? pollEvery(RUNNING_MS) : polling),
  });
  return (
    <>
      <p><Link to="/batches">‹ Batches</Link></p>
      {query.isError && <Problem error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <p className={css.muted}>Loading…</p>}
      {query.data && <Contents key={id} batch={query.data} />}
    </>
  );
}

function Contents({ batch }: { readonly batch: BatchDetails }) {
  const { view = 'graph', run, task, after, page, ...filters } = useSearch({ from: '/batches/$id' });
  const navigate = useNavigate();
  const id = batch.batch_id;
  const go = (search: BatchSearch, replace = false) => void navigate({ to: '/batches/$id', params: { id }, search, replace });
  const wanted = run === undefined ? batch.run : Number(run) - 1;
  const place = { view, ...(run === undefined ? {} : { run }) };
  const cursor = { ...(after === undefined ? {} : { after }), ...(page === undefined ? {} : { page }) };
  const table = <BatchTasks batch={batch} run={wanted} filters={filters} cursor={cursor} />;
  return (
    <>
      <title>{`${batch.name ?? 'Batch'} · Perdure`}</title>
      <BatchHeader
        batch={batch} run={wanted}
        onChooseRun={(next) => go({ view, ...(next === batch.run ? {} : { run: String(next + 1) }) })}
      />
      <nav className={css.views} aria-label="Views">
        {VIEWS.map(([name, word]) => (
          <Link
            key={name} to="/batches/$id" params={{ id }} search={{ ...place, view: name, ...(task === undefined ? {} : { task }) }}
            className={css.view ?? ''} aria-current={view === name ? 'page' : undefined}
          >
            {word}
          </Link>
        ))}
      </nav>
      {view === 'table' ? table : (
        <Drawings
          batch={batch} run={wanted} view={view} task={task} table={table}
          onSelect={(next) => go({ ...place, ...(next === null ? {} : { task: next }) }, true)}
        />
      )}
    </>
  );
}
