// SPDX-License-Identifier: Apache-2.0
import { useNavigate } from '@tanstack/react-router';
import { useDeferredValue, useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { serverClock } from '../../api/clock';
import { criticalPath, highlight } from '../../graph/critical';
import { facesOf, nodesByTask } from '../../graph/faces';
import { Graph } from '../../graph/Graph';
import type { Dag } from '../../graph/read';
import { LayoutTooSlow, useLayout } from '../../graph/useLayout';
import { Empty } from '../../parts/Empty';
import { count } from '../../parts/when';
import css from './BatchPage.module.css';
import type { FoldChoice } from './useFold';

/** Above it, a drawing takes long and shows little. */
export const MOST_NODES = 3_000;

interface Props {
  readonly dag: Dag;
  readonly fold: FoldChoice;
  readonly showCritical: boolean;
  readonly task: string | undefined;
  readonly onSelect: (task: string | null) => void;
  /** What to offer instead of a drawing. */
  readonly instead: ReactNode;
}

export function GraphView({ dag, fold, showCritical, task, onSelect, instead }: Props) {
  const navigate = useNavigate();
  const [anyway, setAnyway] = useState(false);
  const { folded, key } = fold;
  const tooLarge = folded.nodes.length > MOST_NODES && !anyway;
  const request = useMemo(() => (tooLarge ? null : {
    large: folded.nodes.map(({ members }) => members.length > 1),
    links: folded.links.map(({ parent, child }) => [parent, child] as const),
  }), [folded, tooLarge]);
  const query = useLayout(key, request);
  // While a new layout is computed, the last one stays with the nodes that it was made for.
  const ready = query.data?.layout && query.data.layout.x.length === folded.nodes.length ? query.data.layout : null;
  const fresh = useMemo(() => (ready ? { layout: ready, folded, on: fold.on } : null), [ready, folded, fold.on]);
  const [last, setLast] = useState(fresh);
  if (fresh && fresh !== last) setLast(fresh);
  const drawn = fresh ?? (tooLarge ? null : last);

  const tasks = useDeferredValue(dag.tasks);
  const faces = useMemo(() => (drawn ? facesOf(drawn.folded, tasks) : []), [drawn, tasks]);
  const nodeOf = useMemo(() => (drawn ? nodesByTask(drawn.folded) : new Map<number, number>()), [drawn]);
  const critical = useMemo(
    () => (showCritical && drawn ? highlight(criticalPath(tasks, dag.links, serverClock.now()), drawn.folded, nodeOf) : null),
    [showCritical, drawn, tasks, dag.links, nodeOf],
  );
  const selected = useMemo(() => nodeOf.get(dag.tasks.findIndex(({ id }) => id === task)) ?? -1, [nodeOf, dag.tasks, task]);

  if (tooLarge) {
    return (
      <>
        <Empty title={`${count(folded.nodes.length)} tasks that cannot be grouped.`}>
          <p>Drawing them takes a while, and the result is hard to read. The table and the Gantt chart show the same tasks.</p>
          <button type="button" onClick={() => setAnyway(true)}>Draw it anyway</button>
        </Empty>
        {instead}
      </>
    );
  }
  if (query.isError) {
    return (
      <>
        <Empty title={query.error instanceof LayoutTooSlow ? 'The drawing takes too long.' : 'The graph cannot be drawn.'}>
          <p>The table shows the same tasks.{query.error.message !== '' && ` (${query.error.message})`}</p>
          <button type="button" onClick={() => void query.refetch()}>Try again</button>
        </Empty>
        {instead}
      </>
    );
  }
  if (!drawn) return <p className={css.loading} role="status">Drawing {count(folded.nodes.length)} nodes…</p>;

  const open = (index: number) => {
    const node = drawn.folded.nodes[index];
    if (!node) return;
    if (node.members.length > 1) fold.expand(node.key);
    else void navigate({ to: '/tasks/$id', params: { id: node.key } });
  };
  const close = () => {
    const index = dag.tasks.findIndex(({ id }) => id === task);
    if (!fold.close(index)) onSelect(null);
  };
  return (
    <Graph
      // Folding everything or nothing is another drawing, with another first view.
      key={String(drawn.on)}
      faces={faces} links={drawn.folded.links} layout={drawn.layout} selected={selected} critical={critical}
      onSelect={(index) => onSelect(index === null ? null : drawn.folded.nodes[index]?.key ?? null)}
      onOpen={open} onClose={close}
    />
  );
}
