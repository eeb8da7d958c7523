// SPDX-License-Identifier: Apache-2.0
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { batchList } from '../../api/batches';
import type { BatchFilters } from '../../api/batches';
import type { Cursor } from '../../api/link';
import { usePolling } from '../../api/live';
import { Empty } from '../../parts/Empty';
import { Problem } from '../../parts/Problem';
import { capped, count } from '../../parts/when';
import { useSteadyRows } from '../tasks/useSteadyRows';
import css from './BatchesPage.module.css';
import { BatchTable } from './BatchTable';

export function BatchesPage() {
  const { after, page, ...filters } = useSearch({ from: '/batches' });
  const navigate = useNavigate();
  const cursor: Cursor = { ...(after === undefined ? {} : { after }), ...(page === undefined ? {} : { page }) };
  const query = useQuery({ ...batchList(filters, cursor), refetchInterval: usePolling() });
  const key = JSON.stringify([filters, cursor]);
  const shown = useSteadyRows(key, query.isPlaceholderData ? undefined : query.data?.rows);
  const change = (next: BatchFilters) => void navigate({ to: '/batches', search: next });
  const filtered = filters.name !== undefined || filters.state !== undefined;

  return (
    <>
      <title>Batches · Perdure</title>
      <div className={css.heading}>
        <h1>Batches</h1>
        {query.data && <p className={css.total}>{capped(query.data.total)} {query.data.total === 1 ? 'batch' : 'batches'}</p>}
        {shown && shown.unseen > 0 && (
          <button type="button" className={css.unseen} onClick={shown.showAll}>{`↑ ${count(shown.unseen)} new`}</button>
        )}
      </div>
      <Filters key={filters.name ?? ''} filters={filters} onChange={change} />
      <section className={css.panel} aria-label="Batches" aria-busy={query.isFetching}>
        {query.isError && <Problem error={query.error} onRetry={() => void query.refetch()} />}
        {shown && shown.rows.length === 0 && !query.isError && (filtered
          ? <Empty title="No batch matches."><button type="button" onClick={() => change({})}>Clear filters</button></Empty>
          : <Empty title="No batches yet."><p>A batch is what one request submits.</p></Empty>)}
        {shown && shown.rows.length > 0 && <BatchTable rows={shown.rows} />}
        {!shown && !query.isError && <p className={css.loading}>Loading…</p>}
      </section>
      <nav className={css.pages} aria-label="Pages">
        {(after ?? page) !== undefined && <Link to="/batches" search={filters}>‹ Newest</Link>}
        {query.data?.next && <Link to="/batches" search={{ ...filters, ...query.data.next }}>Older ›</Link>}
      </nav>
    </>
  );
}

interface FiltersProps {
  readonly filters: BatchFilters;
  readonly onChange: (filters: BatchFilters) => void;
}

function Filters({ filters, onChange }: FiltersProps) {
  const { state, name } = filters;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const wanted = String(new FormData(event.currentTarget).get('name') ?? '').trim();
    onChange({ ...(state === undefined ? {} : { state }), ...(wanted === '' ? {} : { name: wanted }) });
  };
  const choose = (value: string) => onChange({
    ...(value === 'live' || value === 'ended' ? { state: value } : {}), ...(name === undefined ? {} : { name }),
  });
  return (
    <form className={css.filters} onSubmit={submit} role="search" aria-label="Batches">
      <select aria-label="State" value={state ?? 'all'} onChange={(event) => choose(event.target.value)}>
        <option value="all">All batches</option>
        <option value="live">Live</option>
        <option value="ended">Ended</option>
      </select>
      <input type="search" name="name" aria-label="Part of the name" placeholder="Part of the name" defaultValue={name ?? ''} />
      <button type="submit">Find</button>
    </form>
  );
}
