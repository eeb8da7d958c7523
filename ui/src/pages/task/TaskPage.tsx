// SPDX-License-Identifier: Apache-2.0
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { TaskDetails } from '../../api/client';
import { isPaused, pollEvery, usePolling } from '../../api/live';
import { task as taskQuery } from '../../api/queries';
import { taskPlan } from '../../api/task';
import { attemptWords } from '../../parts/attempt';
import { Badge } from '../../parts/Badge';
import { Problem } from '../../parts/Problem';
import { isEnded } from '../../parts/states';
import { useNow, When } from '../../parts/When';
import { Timeline } from '../../timeline/Timeline';
import { AttemptList } from './AttemptList';
import { Contents } from './Contents';
import { Facts } from './Facts';
import { PlanPanel } from './PlanPanel';
import { segmentsFor } from './segments';
import { TaskActions } from './TaskActions';
import css from './TaskPage.module.css';
import { useDueRefresh } from './useDueRefresh';
import { useOlderAttempts } from './useOlderAttempts';

/** Progress counters are not announced by events. */
const RUNNING_MS = 2_000;

export function TaskPage() {
  const { id } = useParams({ from: '/tasks/$id' });
  const polling = usePolling();
  const query = useQuery({
    ...taskQuery(id),
    refetchInterval: ({ state }) => (state.data?.status === 'Running' ? pollEvery(RUNNING_MS) : polling),
  });
  const dueAt = query.data?.status === 'RetryPending' ? query.data.next_retry_at ?? null : null;
  useDueRefresh(dueAt, () => isPaused() || void query.refetch());
  return (
    <>
      <p><Link to="/tasks">‹ Tasks</Link></p>
      {query.isError && <Problem error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <p className={css.muted}>Loading…</p>}
      {query.data && <Details key={id} task={query.data} />}
    </>
  );
}

function Details({ task }: { readonly task: TaskDetails }) {
  const [expanded, setExpanded] = useState(false);
  const title = task.name ? `${task.kind} · ${task.name}` : task.kind;
  const now = useNow(Date.parse(task.next_retry_at ?? task.started_at ?? task.created_at));
  const plan = useQuery(taskPlan(task.id, `${task.status} ${task.epoch} ${task.next_retry_at} ${task.run_at} ${task.dependencies_unmet}`));
  const older = useOlderAttempts(task);
  const segments = segmentsFor(task, now, expanded, plan.data?.coming, older.more, older.loaded);
  return (
    <>
      <title>{`${title} · Perdure`}</title>
      <div className={css.heading}>
        <h1><bdi>{task.kind}</bdi>{task.name && <> · <bdi>{task.name}</bdi></>}</h1>
        <code className={css.muted}>{task.id}</code>
      </div>
      <p className={css.status}>
        <Badge state={task.status} />
        <span className={task.place ? css.badge : undefined}>attempt {attemptWords(task)}</span>
        {task.status === 'RetryPending' && typeof task.next_retry_at === 'string' && (
          <Due word="next" at={task.next_retry_at} now={now} />
        )}
        {task.status === 'Pending' && <Due word="starts" at={task.run_at} now={now} />}
        {task.parked && <span>parked: {task.failure_reason}</span>}
      </p>
      <TaskActions task={task} />
      {segments.length > 0 && (
        <section className={css.panel}>
          <Timeline
            segments={segments} now={now} onExpand={() => setExpanded(true)} onEarlier={older.load}
            givesUp={plan.data?.end && !isEnded(task.status) ? Date.parse(plan.data.end.at_max) : null}
          />
        </section>
      )}
      <div className={css.columns}>
        <div className={css.column}>
          <AttemptList task={task} older={older} />
          <Contents task={task} />
        </div>
        <div className={css.column}>
          <PlanPanel task={task} plan={plan} now={now} />
          <Facts task={task} />
        </div>
      </div>
    </>
  );
}

/** When the task starts next, or that it could start now. */
function Due({ word, at, now }: { readonly word: string; readonly at: string; readonly now: number }) {
  return <span>{Date.parse(at) > now && `${word} `}<When at={at} past="due, waiting for a slot" /></span>;
}
