// SPDX-License-Identifier: Apache-2.0
import { useMemo, useState } from 'react';
import { unfolded } from '../../graph/faces';
import { fold } from '../../graph/fold';
import type { Folded } from '../../graph/fold';
import type { Dag } from '../../graph/read';

/** From this many tasks on, tasks that are alike are folded unless the reader decides otherwise. */
const FOLD_FROM = 60;

export interface FoldChoice {
  readonly on: boolean;
  readonly folded: Folded;
  /** Tells apart everything that can be laid out. */
  readonly key: string;
  setOn(on: boolean): void;
  expand(key: string): void;
  /** Folds the node that this task was expanded from. False if it was not. */
  close(task: number): boolean;
}

/** What is folded: it depends on the shape of the graph only, never on the states. */
export function useFold(dag: Dag): FoldChoice {
  const [choice, setChoice] = useState<boolean | null>(null);
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set());
  const on = choice ?? dag.tasks.length >= FOLD_FROM;
  // Ids tell runs of the same shape apart: their folds have other keys.
  const graph = `${dag.shape} ${dag.tasks[0]?.id ?? ''} ${dag.tasks.length}`;
  const base = useMemo(() => fold(dag.tasks, dag.links), [graph]);
  const folded = useMemo(() => {
    if (!on) return unfolded(dag.tasks, dag.links);
    return expanded.size === 0 ? base : fold(dag.tasks, dag.links, expanded);
  }, [graph, base, on, expanded]);
  const numbers = base.nodes.flatMap(({ key }, index) => (expanded.has(key) ? [index] : []));
  return {
    on, folded,
    key: `${dag.shape} ${on ? numbers.join() : 'all'}`,
    setOn: (next) => { setChoice(next); setExpanded(new Set()); },
    expand: (key) => setExpanded(new Set([...expanded, key])),
    close: (task) => {
      const node = base.nodes.find(({ key, members }) => expanded.has(key) && members.includes(task));
      if (!node || !on) return false;
      setExpanded(new Set([...expanded].filter((key) => key !== node.key)));
      return true;
    },
  };
}
