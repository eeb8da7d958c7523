// SPDX-License-Identifier: Apache-2.0
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useRef } from 'react';
import { deadDeliveries, errorGroups } from '../../api/dead';
import type { GroupBy } from '../../api/dead';
import { usePolling } from '../../api/live';
import { useMay } from '../../api/session';
import { useRowKeys } from '../../parts/useRowKeys';
import { Empty } from '../../parts/Empty';
import { Problem } from '../../parts/Problem';
import { Select } from '../../parts/Select';
import { Tabs } from '../../parts/Tabs';
import { count } from '../../parts/when';
import { useSteadyRows } from '../tasks/useSteadyRows';
import css from './DeadPage.module.css';
import { Deliveries } from './Deliveries';
import { isDismissed, restore, useDismissed } from './dismissed';
import { Group } from './Group';
import { groupId, totalOf } from './groups';
import { readDeadSearch, SINCE } from './search';
import type { DeadSearch, Since } from './search';

const BY = [{ value: 'error', word: 'error' }, { value: 'kind', word: 'kind' }] as const;

export function DeadPage() {
  const search = useSearch({ from: '/dead' });
  const navigate = useNavigate();
  const { tab, after: _, ...grouping } = search;
  const since = search.since ?? '24h';
  const by = search.by ?? 'error';
  const polling = usePolling();
  const groups = useQuery({ ...errorGroups(since, by), refetchInterval: polling });
  const deliveries = useQuery({ ...deadDeliveries(), refetchInterval: polling });
  const go = (changes: DeadSearch) => void navigate({ to: '/dead', search: readDeadSearch({ ...search, ...changes }) });
  const tasks = groups.data ? ` ${totalOf(groups.data.groups, groups.data.exact)}` : '';
  const given = deliveries.data ? ` ${count(deliveries.data.rows.length)}${deliveries.data.next ? '+' : ''}` : '';

  return (
    <>
      <title>Dead letters · Perdure</title>
      <div className={css.heading}>
        <h1>Dead letters</h1>
        <Tabs
          label="Dead letters"
          tabs={[
            { to: '/dead', search: grouping, word: `Tasks${tasks}`, current: tab === undefined },
            { to: '/dead', search: { ...grouping, tab: 'deliveries' }, word: `Deliveries${given}`, current: tab === 'deliveries' },
          ]}
        />
        <div className={css.controls}>
          <Select label="since" value={since} options={SINCE} onChange={(next) => go({ since: next })} />
          {tab === undefined && <Select label="group by" value={by} options={BY} onChange={(next) => go({ by: next })} />}
        </div>
      </div>
      {tab === 'deliveries' ? <Deliveries after={search.after} since={since} /> : <Groups query={groups} since={since} by={by} />}
    </>
  );
}

interface GroupsProps {
  readonly query: ReturnType<typeof useQuery<Awaited<ReturnType<NonNullable<ReturnType<typeof errorGroups>['queryFn']>>>>>;
  readonly since: Since;
  readonly by: GroupBy;
}

function Groups({ query, since, by }: GroupsProps) {
  const dismissed = useDismissed();
  const list = useRef<HTMLUListElement>(null);
  useRowKeys(list, useMay('operate') ? { r: 'Revive the focused group, after asking' } : {});
  const fresh = query.isPlaceholderData ? undefined : query.data?.groups.map((group) => ({ id: groupId(group, by), group }));
  const shown = useSteadyRows(`${since} ${by}`, fresh);
  // There is no next page: a group that is missing has no failed task left.
  const left = new Set(fresh?.map(({ id }) => id));
  const [hidden, open] = split(shown?.rows ?? [], ({ row }) => isDismissed(dismissed, row.id, Date.parse(row.group.last_at)));
  return (
    <>
      {shown && shown.unseen > 0 && (
        <p className={css.unseen}><button type="button" onClick={shown.showAll}>{`↑ ${count(shown.unseen)} new`}</button></p>
      )}
      <section className={css.panel} aria-label="Failed tasks in groups" aria-busy={query.isFetching}>
        {query.isError && <Problem error={query.error} onRetry={() => void query.refetch()} />}
        {!shown && !query.isError && <p className={css.loading}>Loading…</p>}
        {shown && shown.rows.length === 0 && !query.isError && <NoGroups since={since} by={by} />}
        {hidden.length > 0 && open.length === 0 && <Empty title="You have dismissed all groups." />}
        {open.length > 0 && (
          <ul ref={list} className={css.groups}>
            {open.map(({ row }) => <Group key={row.id} id={row.id} group={row.group} gone={!left.has(row.id)} by={by} since={since} />)}
          </ul>
        )}
      </section>
      {query.data?.exact === false && <p className={css.foot}>These are the groups that failed last. There may be more.</p>}
      {hidden.length > 0 && (
        <p className={css.foot}>
          {hidden.length === 1 ? '1 group is dismissed' : `${count(hidden.length)} groups are dismissed`} in this browser until another task fails with it.
          <button type="button" onClick={() => restore(hidden.map(({ row }) => row.id))}>Show again</button>
        </p>
      )}
    </>
  );
}

/** An empty time may hide older failures, which the side bar counts. */
function NoGroups({ since, by }: { readonly since: Since; readonly by: GroupBy }) {
  const words = SINCE.find(({ value }) => value === since)?.word;
  const longest = useQuery({ ...errorGroups('366d', by), enabled: since !== '366d' });
  const older = longest.isPlaceholderData ? undefined : longest.data?.groups;
  return (
    <Empty title={since === '366d' ? 'No dead letters.' : `No dead letters in the last ${words}.`}>
      <p>Tasks that were given up appear here, grouped by their error.</p>
      {since !== '366d' && older && older.length > 0 && (
        <p><Link to="/dead" search={readDeadSearch({ by, since: '366d' })}>Show the {totalOf(older, longest.data?.exact ?? false)} of the last year</Link></p>
      )}
    </Empty>
  );
}

function split<T>(all: readonly T[], test: (one: T) => boolean): [T[], T[]] {
  return [all.filter(test), all.filter((one) => !test(one))];
}
