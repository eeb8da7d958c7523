// SPDX-License-Identifier: Apache-2.0
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { usePolling } from '../../api/live';
import { retryList, retryStatistics, retryWave, STRATEGIES } from '../../api/retries';
import type { RetryFilter } from '../../api/retries';
import { barsOf, countWithin, WINDOWS, WINDOW_WORDS } from '../../charts/wave';
import type { Span } from '../../charts/wave';
import { Wave } from '../../charts/Wave';
import { Choice } from '../../parts/Choice';
import { Empty } from '../../parts/Empty';
import { Problem } from '../../parts/Problem';
import { Select } from '../../parts/Select';
import { When } from '../../parts/When';
import { atLeast, count } from '../../parts/when';
import { useSteadyRows } from '../tasks/useSteadyRows';
import { Chosen } from './Chosen';
import css from './RetriesPage.module.css';
import { RetryTable } from './RetryTable';
import { spanFrom, spanSearch, withFilter, withWindow } from './search';
import type { RetrySearch } from './search';
import { Statistics } from './Statistics';

export function RetriesPage() {
  const search = useSearch({ from: '/retries' });
  const navigate = useNavigate();
  const window = search.window ?? 'hour';
  const span = spanFrom(search);
  const wave = useQuery(retryWave(window, search.kind));
  const statistics = useQuery(retryStatistics);
  const inSpan = span && wave.data ? countWithin(barsOf(wave.data), span) : null;
  const go = (next: RetrySearch) => void navigate({ to: '/retries', search: next, resetScroll: false });
  const choose = (chosen: Span | null) =>
    go(withFilter(search, chosen ? spanSearch(chosen) : { from: undefined, to: undefined }));

  return (
    <>
      <title>Retries · Perdure</title>
      <div className={css.heading}>
        <h1>Retries</h1>
        {statistics.data && (
          <p className={css.muted}>
            {count(statistics.data.pending)} {statistics.data.pending === 1 ? 'waits' : 'wait'} · {count(statistics.data.due)} due
          </p>
        )}
      </div>
      <div className={css.controls}>
        <Choice
          label="Window" quiet value={window} onChange={(next) => go(withWindow(search, next))}
          options={WINDOWS.map((name) => ({ value: name, word: WINDOW_WORDS[name] }))}
        />
        <Select
          label="Kind" value={search.kind ?? ''} onChange={(kind) => go(withFilter(search, { kind: kind || undefined }))}
          options={kindOptions(Object.keys(statistics.data?.by_kind ?? {}), search.kind)}
        />
        <Select
          label="Strategy" value={search.strategy ?? ''} onChange={(strategy) => go(withFilter(search, { strategy: strategy || undefined }))}
          options={[{ value: '', word: 'all' }, ...STRATEGIES.map((name) => ({ value: name, word: name }))]}
        />
      </div>
      <section className={css.panel} aria-label="What comes">
        {wave.isError && !wave.data && <Problem error={wave.error} onRetry={() => void wave.refetch()} />}
        {wave.data && <Wave wave={wave.data} window={window} chosen={span} onChoose={choose} />}
        {!wave.data && !wave.isError && <p className={css.muted}>Loading…</p>}
      </section>
      {span && (
        <Chosen
          span={span} search={search} stepMs={wave.data?.step_ms ?? 60_000} tasks={inSpan}
          estimated={wave.data?.estimated ?? false} onShowAll={() => choose(null)}
        />
      )}
      <Waiting search={search} span={span} inSpan={inSpan} estimated={wave.data?.estimated ?? false} />
      {statistics.data && <Statistics statistics={statistics.data} />}
    </>
  );
}

function kindOptions(kinds: readonly string[], chosen: string | undefined) {
  const all = new Set(chosen === undefined ? kinds : [...kinds, chosen]);
  return [{ value: '', word: 'all' }, ...[...all].sort().map((kind) => ({ value: kind, word: kind }))];
}

interface WaitingProps {
  readonly search: RetrySearch;
  readonly span: Span | null;
  /** The total of a list counts from now; only the wave knows how many there are in the span. */
  readonly inSpan: number | null;
  readonly estimated: boolean;
}

function Waiting({ search, span, inSpan, estimated }: WaitingProps) {
  const filter: RetryFilter = {
    ...(search.kind === undefined ? {} : { kind: search.kind }),
    ...(search.strategy === undefined ? {} : { strategy: search.strategy }),
    ...(span ? { span } : {}),
  };
  const query = useQuery({
    ...retryList(filter, search.after === undefined ? {} : { after: search.after }), refetchInterval: usePolling(),
  });
  const shown = useSteadyRows(JSON.stringify(search), query.isPlaceholderData ? undefined : query.data?.rows);
  const gone = shown?.rows.filter((one) => one.gone).length ?? 0;
  const next = query.data?.rows[0]?.next_retry_at;
  const counted = search.strategy ? null : inSpan;
  const total = span ? counted !== null && `${estimated ? 'about ' : ''}${count(counted)}` : query.data && atLeast(query.data.total, query.data.exact);
  return (
    <>
      <div className={css.listHead}>
        <h2>Waiting retries</h2>
        {total && <p className={css.muted}>{total}</p>}
        {typeof next === 'string' && <p className={css.muted}>next <When at={next} past="due" /></p>}
        {shown && shown.unseen + gone > 0 && (
          <button type="button" className={css.update} onClick={shown.showAll}>{updateWords(shown.unseen, gone)}</button>
        )}
      </div>
      <section className={css.list} aria-label="Waiting retries" aria-busy={query.isFetching}>
        {query.isError && <Problem error={query.error} onRetry={() => void query.refetch()} />}
        {shown && shown.rows.length === 0 && !query.isError && (
          <Empty title={Object.keys(filter).length === 0 ? 'Nothing waits for a retry.' : 'No waiting retry matches.'} />
        )}
        {shown && shown.rows.length > 0 && <RetryTable rows={shown.rows} />}
        {!shown && !query.isError && <p className={css.loading}>Loading…</p>}
      </section>
      <nav className={css.pages} aria-label="Pages">
        {search.after !== undefined && <Link to="/retries" search={withFilter(search, {})}>‹ First</Link>}
        {query.data?.next?.after !== undefined && (
          <Link to="/retries" search={{ ...search, after: query.data.next.after }}>Later ›</Link>
        )}
      </nav>
    </>
  );
}

function updateWords(unseen: number, gone: number): string {
  const parts = [...(unseen > 0 ? [`${count(unseen)} new`] : []), ...(gone > 0 ? [`${count(gone)} gone`] : [])];
  return `Update: ${parts.join(', ')}`;
}
