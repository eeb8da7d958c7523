// SPDX-License-Identifier: Apache-2.0
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import type { FormEvent } from 'react';
import { usePolling } from '../../api/live';
import { auditList } from '../../api/settings';
import type { AuditEntry } from '../../api/settings';
import { shortId } from '../../parts/attempt';
import { Empty } from '../../parts/Empty';
import { Problem } from '../../parts/Problem';
import { useRowKeys } from '../../parts/useRowKeys';
import { When } from '../../parts/When';
import { count } from '../../parts/when';
import { useSteadyRows } from '../tasks/useSteadyRows';
import css from './Settings.module.css';
import { detailWords } from './words';

interface Props {
  readonly subject: string | undefined;
  readonly after: string | undefined;
}

/** Who did what, when, to what. */
export function Audit({ subject, after }: Props) {
  const query = useQuery({ ...auditList(subject, after), refetchInterval: usePolling() });
  const fresh = query.isPlaceholderData ? undefined : query.data?.rows.map((entry) => ({ id: String(entry.number), entry }));
  const shown = useSteadyRows(JSON.stringify([subject, after]), fresh);
  const table = useRef<HTMLTableElement>(null);
  useRowKeys(table);
  const filter = subject === undefined ? {} : { subject };
  return (
    <>
      <div className={css.filters}>
        <Filter key={subject ?? ''} subject={subject} />
        {shown && shown.unseen > 0 && <button type="button" className={css.unseen} onClick={shown.showAll}>{`↑ ${count(shown.unseen)} new`}</button>}
      </div>
      <section className={css.panel} aria-label="Audit" aria-busy={query.isFetching}>
        {query.isError && <Problem error={query.error} onRetry={() => void query.refetch()} />}
        {!shown && !query.isError && <p className={css.loading}>Loading…</p>}
        {shown && shown.rows.length === 0 && !query.isError && (subject === undefined
          ? <Empty title="Nobody has done anything yet." />
          : <Empty title={`No entries for "${subject}".`}><p><Link to="/settings" search={{ tab: 'audit' }}>Show everything</Link></p></Empty>)}
        {shown && shown.rows.length > 0 && (
          <div className={css.scroll}>
            <table ref={table} className={css.table}>
              <thead>
                <tr>
                  <th scope="col">When</th><th scope="col">Who</th><th scope="col">What</th><th scope="col">Subject</th><th scope="col">Details</th>
                </tr>
              </thead>
              <tbody>{shown.rows.map(({ row }) => <Row key={row.id} entry={row.entry} />)}</tbody>
            </table>
          </div>
        )}
      </section>
      <nav className={css.pages} aria-label="Pages">
        {after !== undefined && <Link to="/settings" search={{ tab: 'audit', ...filter }}>‹ Newest</Link>}
        {query.data?.next?.after !== undefined && (
          <Link to="/settings" search={{ tab: 'audit', ...filter, after: query.data.next.after }}>Older ›</Link>
        )}
      </nav>
    </>
  );
}

function Filter({ subject }: { readonly subject: string | undefined }) {
  const navigate = useNavigate();
  const go = (wanted: string) => void navigate({ to: '/settings', search: { tab: 'audit', ...(wanted === '' ? {} : { subject: wanted }) } });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    go(String(new FormData(event.currentTarget).get('subject') ?? '').trim());
  };
  return (
    <form className={css.search} role="search" aria-label="Audit" onSubmit={submit}>
      <input type="search" name="subject" aria-label="Id or name of what it was done to" placeholder="Id, kind, schedule or channel" defaultValue={subject ?? ''} />
      <button type="submit">Find</button>
      {subject !== undefined && <button type="button" onClick={() => go('')}>Clear</button>}
    </form>
  );
}

function Row({ entry }: { readonly entry: AuditEntry }) {
  const { at, who, key, action, subject } = entry;
  const detail = detailWords(entry.detail);
  return (
    <tr>
      <td><When at={at} /></td>
      <td title={key === null || key === undefined ? undefined : `Key ${key}`}><bdi>{who}</bdi></td>
      <td>{action}</td>
      <td>
        {typeof subject === 'string'
          ? <Link to="/settings" search={{ tab: 'audit', subject }} title={`All that was done to ${subject}`}><bdi>{shortId(subject)}</bdi></Link>
          : '–'}
      </td>
      <td className={css.wide} title={detail}>{detail}</td>
    </tr>
  );
}
