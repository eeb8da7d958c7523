// SPDX-License-Identifier: Apache-2.0
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { TaskRow } from '../../api/client';
import { newestFailures, stackOf } from '../../api/dead';
import type { ErrorGroup, GroupFilter } from '../../api/dead';
import { useMay } from '../../api/session';
import { attemptWords, shortId } from '../../parts/attempt';
import { BulkDialog } from '../../parts/BulkDialog';
import { CopyButton } from '../../parts/CopyButton';
import { Problem } from '../../parts/Problem';
import { When } from '../../parts/When';
import css from './DeadPage.module.css';

/** What a group opens to: the whole message, the stack of one task, and the newest ten. */
export function Newest({ group, filter }: { readonly group: ErrorGroup; readonly filter: GroupFilter | null }) {
  const { message, task } = group.sample;
  return (
    <div className={css.details}>
      {message !== null && <pre className={css.message}><bdi>{message}</bdi></pre>}
      <div className={css.row}>
        {message !== null && <CopyButton word="Copy message" text={() => message} />}
        {task !== null && <Stack key={task} task={task} />}
      </div>
      {filter
        ? <Tasks filter={filter} />
        : <p className={css.muted}>
            These tasks failed before errors were recorded, so they cannot be listed or revived as a group.
            {task !== null && <> The newest is <Link to="/tasks/$id" params={{ id: task }}>{shortId(task)}</Link>.</>}
          </p>}
    </div>
  );
}

function Stack({ task }: { readonly task: string }) {
  const [wanted, setWanted] = useState(false);
  const query = useQuery({ ...stackOf(task), enabled: wanted });
  if (!wanted) return <button type="button" onClick={() => setWanted(true)}>Stack of the newest</button>;
  if (query.isError) return <Problem error={query.error} onRetry={() => void query.refetch()} />;
  if (query.data === undefined) return <p className={css.muted}>Loading…</p>;
  return query.data === null ? <p className={css.muted}>No stack was recorded.</p> : <pre className={css.stack} tabIndex={0}>{query.data}</pre>;
}

function Tasks({ filter }: { readonly filter: GroupFilter }) {
  const query = useQuery(newestFailures(filter));
  const mayAct = useMay('operate');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const rows = query.data ?? [];
  const [asked, setAsked] = useState<readonly TaskRow[] | null>(null);
  const some = rows.filter(({ id }) => chosen.has(id));
  const toggle = (id: string) => setChosen((was) => new Set(was.has(id) ? [...was].filter((other) => other !== id) : [...was, id]));
  return (
    <>
      {query.isError && <Problem error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <p className={css.muted}>Loading…</p>}
      {query.data?.length === 0 && <p className={css.muted}>None of these tasks is still failed.</p>}
      <ul className={css.tasks} aria-label="Newest tasks">
        {rows.map((row) => (
          <li key={row.id} className={css.task}>
            {mayAct && (
              <label className={css.check}>
                <input type="checkbox" checked={chosen.has(row.id)} aria-label={`Select ${nameOf(row)}`} onChange={() => toggle(row.id)} />
              </label>
            )}
            <Link to="/tasks/$id" params={{ id: row.id }} className={css.name ?? ''}><bdi>{nameOf(row)}</bdi></Link>
            <span className={css.kind}>{row.kind}</span>
            <span className={css.reason} title={row.failure_reason ?? ''}>{row.failure_reason}</span>
            <span className={css.muted}>attempt {attemptWords(row)}</span>
            {typeof row.ended_at === 'string' && <span className={css.ended}><When at={row.ended_at} /></span>}
          </li>
        ))}
      </ul>
      {mayAct && some.length > 0 && (
        <p><button type="button" onClick={() => setAsked(some)}>{some.length === 1 ? 'Revive 1 task…' : `Revive ${some.length} tasks…`}</button></p>
      )}
      {asked && <BulkDialog action="retry" target={{ tasks: asked }} open onClose={() => setAsked(null)} onDone={() => setChosen(new Set())} />}
    </>
  );
}

function nameOf(row: TaskRow): string {
  return row.name ?? row.local_id ?? shortId(row.id);
}
