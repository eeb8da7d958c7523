// SPDX-License-Identifier: Apache-2.0
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { usePolling } from '../../api/live';
import { task as taskQuery } from '../../api/queries';
import type { FoldedNode } from '../../graph/fold';
import { facesOf } from '../../graph/faces';
import type { DagTask } from '../../graph/read';
import { attemptWords } from '../../parts/attempt';
import { Badge } from '../../parts/Badge';
import { Problem } from '../../parts/Problem';
import { StateBar } from '../../parts/StateBar';
import { When } from '../../parts/When';
import { count, duration } from '../../parts/when';
import css from './BatchPage.module.css';

interface PanelProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

function Panel({ title, onClose, children }: PanelProps) {
  return (
    <aside className={css.side} aria-label={`Selected: ${title}`}>
      <div className={css.sideTitle}>
        <h2><bdi>{title}</bdi></h2>
        <button type="button" className={css.close} aria-label="Close" title="Close (Esc)" onClick={onClose}>
          <X size={16} strokeWidth={1.75} aria-hidden="true" />
        </button>
      </div>
      {children}
    </aside>
  );
}

interface FoldProps {
  readonly batch: string;
  /** The run, from 0; null for the last one. */
  readonly run: number | null;
  readonly node: FoldedNode;
  readonly tasks: readonly DagTask[];
  readonly onExpand: () => void;
  readonly onClose: () => void;
}

export function FoldPanel({ batch, run, node, tasks, onExpand, onClose }: FoldProps) {
  const place = { view: 'table' as const, ...(run === null ? {} : { run: String(run + 1) }), kind: `=${node.kind}` };
  const [face] = facesOf({ nodes: [node], links: [] }, tasks);
  if (!face) return null;
  const spent = node.members.flatMap((member) => {
    const { startedAt, endedAt } = tasks[member] ?? {};
    return typeof startedAt === 'number' && typeof endedAt === 'number' ? [endedAt - startedAt] : [];
  }).sort((a, b) => a - b);
  return (
    <Panel title={node.kind} onClose={onClose}>
      <p>{count(face.size)} similar tasks</p>
      <StateBar parts={face.parts} />
      <ul className={css.parts}>
        {face.parts.map(({ state, count: number }) => (
          <li key={state}>
            <Badge state={state} />
            <Link to="/batches/$id" params={{ id: batch }} search={{ ...place, status: state }}>{count(number)}</Link>
          </li>
        ))}
      </ul>
      {spent.length > 0 && (
        <p className={css.muted}>
          Half of them took {duration(spent[spent.length >> 1] ?? 0)} or less, the longest {duration(spent.at(-1) ?? 0)}.
        </p>
      )}
      <div className={css.sideActions}>
        <Link className={css.button} to="/batches/$id" params={{ id: batch }} search={place}>Open as table</Link>
        <button type="button" onClick={onExpand}>Expand</button>
      </div>
    </Panel>
  );
}

export function TaskPanel({ id, name, onClose }: { readonly id: string; readonly name: string; readonly onClose: () => void }) {
  const query = useQuery({ ...taskQuery(id), refetchInterval: usePolling() });
  const task = query.data;
  const last = task?.attempts.at(-1);
  const facts: readonly (readonly [string, ReactNode])[] = task ? [
    ['Kind', task.kind],
    ['Attempt', attemptWords(task)],
    ['Next', task.status === 'RetryPending' && typeof task.next_retry_at === 'string' ? <When at={task.next_retry_at} past="due" /> : null],
    ['Started', typeof task.started_at === 'string' ? <When at={task.started_at} /> : null],
    ['Ended', typeof task.ended_at === 'string' ? <When at={task.ended_at} /> : null],
    ['Retries', task.retry_words],
    ['Failure', task.failure_reason ?? last?.message],
    ['Gave up', task.give_up_reason],
    ['Worker', task.worker],
    ['Waits for', task.dependencies_unmet ? `${count(task.dependencies_unmet)} of ${count(task.dependencies.length)} tasks` : null],
  ] : [];
  return (
    <Panel title={name} onClose={onClose}>
      {query.isError && <Problem error={query.error} onRetry={() => void query.refetch()} />}
      {task && (
        <>
          <p><Badge state={task.status} /></p>
          <dl className={css.facts}>
            {facts.map(([label, value]) => value !== null && value !== undefined && value !== '' && (
              <div key={label}><dt>{label}</dt><dd>{value}</dd></div>
            ))}
          </dl>
        </>
      )}
      <div className={css.sideActions}><Link className={css.button} to="/tasks/$id" params={{ id }}>Open the task</Link></div>
    </Panel>
  );
}
