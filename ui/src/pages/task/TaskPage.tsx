// SPDX-License-Identifier: Apache-2.0
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { TaskDetails } from '../../api/client';
import { formatJson } from '../../api/json';
import { usePolling } from '../../api/live';
import { task as taskQuery } from '../../api/queries';
import { attemptWords } from '../../parts/attempt';
import { Badge } from '../../parts/Badge';
import { Problem } from '../../parts/Problem';
import { useNow, When } from '../../parts/When';
import { Timeline } from '../../timeline/Timeline';
import { AttemptList } from './AttemptList';
import { segmentsFor } from './segments';
import css from './TaskPage.module.css';
import { useDueRefresh } from './useDueRefresh';

/** Progress counters are not announced by events. */
const RUNNING_MS = 2_000;

export function TaskPage() {
  const { id } = useParams({ from: '/tasks/$id' });
  const polling = usePolling();
  const query = useQuery({
    ...taskQuery(id),
    refetchInterval: ({ state }) => (state.data?.status === 'Running' ? RUNNING_MS : polling),
  });
  const dueAt = query.data?.status === 'RetryPending' ? query.data.next_retry_at ?? null : null;
  useDueRefresh(dueAt, () => void query.refetch());
  return (
    <>
      <p><Link to="/tasks">‹ Tasks</Link></p>
      {query.isError && <Problem error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <p className={css.muted}>Loading…</p>}
      {query.data && <Details task={query.data} />}
    </>
  );
}

function Details({ task }: { readonly task: TaskDetails }) {
  const [expanded, setExpanded] = useState(false);
  const title = task.name ? `${task.kind} · ${task.name}` : task.kind;
  const now = useNow(Date.parse(task.next_retry_at ?? task.started_at ?? task.created_at));
  const segments = segmentsFor(task, now, expanded);
  return (
    <>
      <title>{`${title} · Perdure`}</title>
      <div className={css.heading}>
        <h1><bdi>{task.kind}</bdi>{task.name && <> · <bdi>{task.name}</bdi></>}</h1>
        <code className={css.muted}>{task.id}</code>
      </div>
      <p className={css.status}>
        <Badge state={task.status} />
        <span>attempt {attemptWords(task)}</span>
        {task.status === 'RetryPending' && typeof task.next_retry_at === 'string' && (
          <span>next <When at={task.next_retry_at} past="due, waiting for a free slot" /></span>
        )}
      </p>
      {segments.length > 0 && (
        <section className={css.panel}>
          <Timeline segments={segments} now={now} onExpand={() => setExpanded(true)} />
        </section>
      )}
      <div className={css.columns}>
        <AttemptList attempts={task.attempts} />
        <Facts task={task} />
      </div>
      <Json title="Payload" value={task.payload} />
      <Json title="Metadata" value={task.metadata} />
      <Json title="Result" value={task.result} />
    </>
  );
}

function Facts({ task }: { readonly task: TaskDetails }) {
  const facts: readonly (readonly [string, string | null | undefined])[] = [
    ['Retries', task.retry_words ?? 'none'],
    ['Failure', task.failure_reason],
    ['Gave up', task.give_up_reason],
    ['Worker', task.worker],
    ['Losses', task.losses > 0 ? String(task.losses) : null],
    ['Blocked by', task.blocked_by?.key],
    ['Depends on', task.dependencies.length > 0 ? `${task.dependencies.length} tasks, ${task.dependencies_unmet ?? 0} unmet` : null],
  ];
  return (
    <section className={css.panel}>
      <h2>Facts</h2>
      <dl className={css.facts}>
        <dt>Created</dt>
        <dd><When at={task.created_at} /></dd>
        {facts.map(([name, value]) => value && (
          <div key={name} className={css.fact}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Json({ title, value }: { readonly title: string; readonly value: unknown }) {
  if (value === null || value === undefined) return null;
  return (
    <section className={css.panel}>
      <h2>{title}</h2>
      <pre className={css.json} tabIndex={0}>{formatJson(value)}</pre>
    </section>
  );
}
