// SPDX-License-Identifier: Apache-2.0
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useMemo, useReducer } from 'react';
import { serverClock } from '../../api/clock';
import { task as taskQuery } from '../../api/queries';
import { nodesByTask } from '../../graph/faces';
import { Gantt } from '../../graph/Gantt';
import { axisOf, ganttRows, withAttempts } from '../../graph/gantt';
import type { PastAttempt } from '../../graph/gantt';
import type { Dag } from '../../graph/read';
import { isEnded } from '../../parts/states';
import type { FoldChoice } from './useFold';

interface Props {
  readonly dag: Dag;
  readonly fold: FoldChoice;
  readonly task: string | undefined;
  readonly onSelect: (task: string | null) => void;
}

export function GanttView({ dag, fold, task, onSelect }: Props) {
  const navigate = useNavigate();
  const live = dag.tasks.some(({ status }) => !isEnded(status));
  const now = useSeconds(live);
  const { folded } = fold;
  const index = dag.tasks.findIndex(({ id }) => id === task);
  const selected = nodesByTask(folded).get(index) ?? -1;
  const node = folded.nodes[selected];
  const single = node?.members.length === 1 ? node.key : null;
  const attempts = useAttempts(single);
  const rows = useMemo(() => ganttRows(folded, dag.tasks, dag.links, now), [folded, dag.tasks, dag.links, now]);
  const shown = rows.map((row) => {
    const own = dag.tasks[index];
    return row.node === selected && own && attempts.length > 0 ? { ...row, bars: withAttempts(own, attempts, now) } : row;
  });
  const open = (wanted: number) => {
    const one = folded.nodes[wanted];
    if (!one) return;
    if (one.members.length > 1) fold.expand(one.key);
    else void navigate({ to: '/tasks/$id', params: { id: one.key } });
  };
  return (
    <Gantt
      rows={shown} axis={axisOf(shown, now, live)} now={now} live={live} selected={selected}
      onSelect={(wanted) => onSelect(wanted === null ? null : folded.nodes[wanted]?.key ?? null)} onOpen={open}
    />
  );
}

/** The attempts of one task: the graph tells only the last one of each. */
function useAttempts(id: string | null): PastAttempt[] {
  const { data } = useQuery({ ...taskQuery(id ?? ''), enabled: id !== null });
  if (id === null || !data) return [];
  return data.attempts.flatMap(({ started_at, ended_at, outcome }) => (typeof started_at === 'string'
    ? [{ from: Date.parse(started_at), to: Date.parse(ended_at), failed: outcome !== 'success' && outcome !== 'resolved' }]
    : []));
}

/** The server's time, each second while something can still change. */
function useSeconds(live: boolean): number {
  const [tick, next] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    if (!live) return undefined;
    const timer = setInterval(next, 1_000);
    return () => clearInterval(timer);
  }, [live]);
  return useMemo(() => serverClock.now(), [tick, live]);
}
