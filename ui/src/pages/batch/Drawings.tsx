// SPDX-License-Identifier: Apache-2.0
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { BatchDetails } from '../../api/batches';
import { nodesByTask } from '../../graph/faces';
import type { Dag } from '../../graph/read';
import { useDag } from '../../graph/useDag';
import { Problem } from '../../parts/Problem';
import { count } from '../../parts/when';
import css from './BatchPage.module.css';
import { FindTask } from './FindTask';
import { GanttView } from './GanttView';
import { GraphView } from './GraphView';
import { FoldPanel, TaskPanel } from './Panel';
import { useFold } from './useFold';

interface Props {
  readonly batch: BatchDetails;
  readonly run: number;
  readonly view: 'graph' | 'gantt';
  readonly task: string | undefined;
  readonly table: ReactNode;
  readonly onSelect: (task: string | null) => void;
}

/** The views that need all tasks at once. */
export function Drawings({ batch, run, ...rest }: Props) {
  const query = useDag(batch.batch_id, run === batch.run ? undefined : run, batch.last_updated);
  const dag = query.data?.dag;
  if (query.isError && !dag) return <Problem error={query.error} onRetry={() => void query.refetch()} />;
  if (!dag) return <p className={css.loading} role="status">Loading {count(batch.total_tasks)} tasks…</p>;
  return <Drawing key={`${batch.batch_id} ${run}`} batch={batch} run={run} dag={dag} {...rest} />;
}

function Drawing({ batch, run, dag, view, task, table, onSelect }: Props & { readonly dag: Dag }) {
  const [showCritical, setShowCritical] = useState(false);
  const fold = useFold(dag);
  const selected = dag.tasks.findIndex(({ id }) => id === task);
  const node = fold.folded.nodes[nodesByTask(fold.folded).get(selected) ?? -1];
  return (
    <>
      <div className={css.tools} role="group" aria-label="Drawing">
        <FindTask tasks={dag.tasks} selected={selected} onFind={(index) => onSelect(dag.tasks[index]?.id ?? null)} />
        <label className={css.switch}>
          <input type="checkbox" checked={fold.on} onChange={(event) => fold.setOn(event.target.checked)} /> Group similar tasks
        </label>
        {view === 'graph' && (
          <label className={css.switch}>
            <input type="checkbox" checked={showCritical} onChange={(event) => setShowCritical(event.target.checked)} /> Critical path
          </label>
        )}
        {dag.truncated && <p className={css.muted}>Only the first {count(dag.tasks.length)} tasks are drawn.</p>}
        {dag.outside > 0 && <p className={css.muted}>{count(dag.outside)} {dag.outside === 1 ? 'link leads' : 'links lead'} to other batches.</p>}
      </div>
      <div className={css.stage} data-view={view}>
        <div className={css.drawing}>
          {view === 'graph'
            ? <GraphView dag={dag} fold={fold} showCritical={showCritical} task={task} onSelect={onSelect} instead={table} />
            : <GanttView dag={dag} fold={fold} task={task} onSelect={onSelect} />}
        </div>
        {node && (node.members.length > 1
          ? (
            <FoldPanel
              batch={batch.batch_id} run={run === batch.run ? null : run} node={node} tasks={dag.tasks} onExpand={() => fold.expand(node.key)} onClose={() => onSelect(null)}
            />
          )
          : <TaskPanel key={node.key} id={node.key} name={dag.tasks[selected]?.name ?? ''} onClose={() => onSelect(null)} />)}
      </div>
    </>
  );
}
