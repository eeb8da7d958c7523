// SPDX-License-Identifier: Apache-2.0
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { TaskDetails } from '../../api/client';
import { shortId } from '../../parts/attempt';
import { Badge } from '../../parts/Badge';
import { When } from '../../parts/When';
import { capped, count } from '../../parts/when';
import css from './TaskPage.module.css';

const MOST_LINKS = 20;
const COUNTED = 100_000;

/** Where the task belongs, and what keeps it or needs it. */
export function Facts({ task }: { readonly task: TaskDetails }) {
  const { depends_on: dependsOn, blocked_by: blocked } = task;
  const facts: readonly (readonly [string, ReactNode])[] = [
    ['Created', <When at={task.created_at} />],
    ['Started', task.started_at && <When at={task.started_at} />],
    ['Ended', task.ended_at && <When at={task.ended_at} />],
    ['Batch', <Link to="/batches/$id" params={{ id: task.batch_id }}>{shortId(task.batch_id)}</Link>],
    ['Schedule', task.schedule_id && <Link to="/schedules/$id" params={{ id: task.schedule_id }}>{shortId(task.schedule_id)}</Link>],
    ['Failure', task.failure_reason],
    ['Code', task.failure_code],
    ['Same error', task.error && <Link to="/tasks" search={{ error: task.error }}>tasks with the same error</Link>],
    ['Gave up', task.give_up_reason],
    ['Worker', task.worker && <Link to="/tasks" search={{ worker: task.worker }}>{task.worker}</Link>],
    ['Losses', task.losses > 0 && count(task.losses)],
    ['Progress', progressOf(task)],
    ['Deadline', task.deadline && <When at={task.deadline} />],
    ['Blocked by', blocked && `${blocked.key}: ${count(blocked.used)} of ${count(blocked.max)} in use, ${capped(blocked.ahead, 1_000)} ahead`],
    ['Needed by', task.needed_by > 0 && <Needed task={task} />],
    ['Depends on', dependsOn.count > 0 && <Dependencies task={task} />],
  ];
  return (
    <section className={css.panel}>
      <h2>Facts</h2>
      <dl className={css.facts}>
        {facts.map(([name, value]) => (value || value === 0) && (
          <div key={name} className={css.fact}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function progressOf({ success, failures, expected_count: expected }: TaskDetails): string | false {
  if (success + failures === 0 && expected === null) return false;
  return `${count(success)} done, ${count(failures)} failed${typeof expected === 'number' ? `, of ${count(expected)}` : ''}`;
}

function Needed({ task }: { readonly task: TaskDetails }) {
  return (
    <>
      {capped(task.needed_by, COUNTED)} {task.needed_by === 1 ? 'task' : 'tasks'} · <InGraph task={task} />
    </>
  );
}

/** The graph of the batch, with this task selected. */
function InGraph({ task }: { readonly task: TaskDetails }) {
  return <Link to="/batches/$id" params={{ id: task.batch_id }} search={{ view: 'graph', task: task.id }}>in the graph</Link>;
}

function Dependencies({ task }: { readonly task: TaskDetails }) {
  const { depends_on: { count: number, unmet }, dependencies } = task;
  const shown = dependencies.slice(0, MOST_LINKS);
  return (
    <>
      <p>{capped(number, COUNTED)} {number === 1 ? 'task' : 'tasks'}, {unmet === 0 ? 'all have ended' : `waits for ${count(unmet)}`} · <InGraph task={task} /></p>
      <ul className={css.links}>
        {shown.map((one) => (
          <li key={one.id}>
            <Badge state={one.status} />
            <Link to="/tasks/$id" params={{ id: one.id }}>{one.name ?? one.local_id ?? shortId(one.id)}</Link>
          </li>
        ))}
      </ul>
      {number > shown.length && <p className={css.muted}>and {capped(number - shown.length, COUNTED)} more</p>}
    </>
  );
}
