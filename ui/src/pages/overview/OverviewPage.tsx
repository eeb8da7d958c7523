// SPDX-License-Identifier: Apache-2.0
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { overview, series } from '../../api/overview';
import { retryWave } from '../../api/retries';
import { SERIES_WINDOWS, SERIES_WORDS } from '../../charts/series';
import { WINDOWS, WINDOW_WORDS } from '../../charts/wave';
import { Wave } from '../../charts/Wave';
import { Choice } from '../../parts/Choice';
import { Problem } from '../../parts/Problem';
import { Select } from '../../parts/Select';
import { spanSearch } from '../retries/search';
import { Kinds } from './Kinds';
import { Nodes } from './Nodes';
import css from './OverviewPage.module.css';
import type { OverviewSearch } from './search';
import { Sentences } from './Sentences';
import { Tiles } from './Tiles';

/** uPlot comes with it. */
const Series = lazy(() => import('../../charts/Series'));

/** What is wrong, what happened and what comes. */
export function OverviewPage() {
  const { data, error } = useQuery(overview);
  return (
    <>
      <title>Overview · Perdure</title>
      <Sentences overview={data} error={error} />
      {data && <Tiles overview={data} />}
      <div className={css.panels}>
        <Happened kinds={data?.kinds.map(({ kind }) => kind) ?? []} />
        <Comes next={data?.next_retry_at ?? null} />
        <section className={`${css.panel} ${css.kinds}`} aria-labelledby="kinds">
          <h2 id="kinds">Kinds</h2>
          {data && <Kinds overview={data} />}
        </section>
        <section className={`${css.panel} ${css.nodes}`} aria-labelledby="nodes">
          <h2 id="nodes">Nodes</h2>
          <Nodes />
        </section>
      </div>
    </>
  );
}

/** Changes a part of the address. */
function useGo(): (changes: { [K in keyof OverviewSearch]?: OverviewSearch[K] | undefined }) => void {
  const search = useSearch({ from: '/' });
  const navigate = useNavigate();
  return (changes) => {
    const next = Object.fromEntries(Object.entries({ ...search, ...changes }).filter(([, value]) => value !== undefined));
    void navigate({ to: '/', search: next, resetScroll: false, replace: true });
  };
}

function Happened({ kinds }: { readonly kinds: readonly string[] }) {
  const { window = '1h', kind } = useSearch({ from: '/' });
  const go = useGo();
  const { data, error, isError, isPlaceholderData, refetch } = useQuery(series(window, kind));
  const names = [...new Set(kind === undefined ? kinds : [...kinds, kind])].sort();
  return (
    <section className={`${css.panel} ${css.happened}`} aria-labelledby="happened">
      <div className={css.head}>
        <h2 id="happened">What happened</h2>
        <Select
          label="Kind" quiet value={kind ?? ''} onChange={(next) => go({ kind: next || undefined })}
          options={[{ value: '', word: 'all kinds' }, ...names.map((name) => ({ value: name, word: name }))]}
        />
        <Choice
          label="Window of what happened" quiet value={window} onChange={(next) => go({ window: next })}
          options={SERIES_WINDOWS.map((name) => ({ value: name, word: SERIES_WORDS[name] }))}
        />
      </div>
      {isError && <Problem error={error} onRetry={() => void refetch()} />}
      {data && (
        <Suspense fallback={<p className={css.loading}>Loading…</p>}>
          <Series series={data} window={isPlaceholderData ? null : window} />
        </Suspense>
      )}
      {!data && !isError && <p className={css.loading}>Loading…</p>}
    </section>
  );
}

function Comes({ next }: { readonly next: string | null }) {
  const { comes = 'hour' } = useSearch({ from: '/' });
  const go = useGo();
  const navigate = useNavigate();
  const { data, error, isError, isPlaceholderData, refetch } = useQuery(retryWave(comes));
  return (
    <section className={`${css.panel} ${css.comes}`} aria-labelledby="comes">
      <div className={css.head}>
        <h2 id="comes">What comes</h2>
        <Choice
          label="Window of what comes" quiet value={comes} onChange={(next) => go({ comes: next })}
          options={WINDOWS.map((name) => ({ value: name, word: WINDOW_WORDS[name] }))}
        />
      </div>
      {isError && <Problem error={error} onRetry={() => void refetch()} />}
      {data && !isPlaceholderData && (
        <Wave
          wave={data} window={comes} height={200} next={next}
          onChoose={(span) => span && void navigate({ to: '/retries', search: { window: comes, ...spanSearch(span) } })}
        />
      )}
      {(!data || isPlaceholderData) && !isError && <p className={css.loading}>Loading…</p>}
    </section>
  );
}
