// SPDX-License-Identifier: Apache-2.0
// The critical path: the chain of tasks that decides when the batch ends.
import { depthsOf } from './fold';
import type { Folded, GraphLink } from './fold';
import type { DagTask } from './read';

/** The tasks on the longest path by time spent and expected, in their order. */
export function criticalPath(tasks: readonly DagTask[], links: readonly GraphLink[], now: number): number[] {
  if (tasks.length === 0) return [];
  const lengths = lengthsOf(tasks, links, now);
  const depths = depthsOf(tasks.length, links);
  const order = tasks.map((_, index) => index).sort((a, b) => (depths[a] ?? 0) - (depths[b] ?? 0));
  const parents: number[][] = tasks.map(() => []);
  for (const { parent, child } of links) parents[child]?.push(parent);
  const total = new Float64Array(tasks.length);
  const before = new Int32Array(tasks.length).fill(-1);
  for (const task of order) {
    let longest = 0;
    for (const parent of parents[task] ?? []) {
      if (before[task] !== -1 && (total[parent] ?? 0) <= longest) continue;
      longest = total[parent] ?? 0;
      before[task] = parent;
    }
    total[task] = longest + (lengths[task] ?? 0);
  }
  let at = order.reduce((best, task) => ((total[task] ?? 0) > (total[best] ?? 0) ? task : best), order[0] as number);
  const path: number[] = [];
  for (; at !== -1; at = before[at] ?? -1) path.push(at);
  return path.reverse();
}

/** How long each task took from the moment it could start, or probably will. */
function lengthsOf(tasks: readonly DagTask[], links: readonly GraphLink[], now: number): number[] {
  const readyAt = tasks.map((task) => task.createdAt ?? -Infinity);
  for (const { parent, child } of links) {
    readyAt[child] = Math.max(readyAt[child] ?? -Infinity, tasks[parent]?.endedAt ?? -Infinity);
  }
  const spent = tasks.map((task, i) => {
    const from = Number.isFinite(readyAt[i]) ? readyAt[i] as number : task.startedAt;
    return from === null ? 0 : Math.max(0, (task.endedAt ?? now) - from);
  });
  const usual = meansOf(tasks, spent);
  return tasks.map((task, i) => {
    const expected = usual.get(task.kind) ?? usual.get('') ?? 1;
    if (task.endedAt !== null) return spent[i] as number;
    if (task.status === 'Waiting') return expected;
    const untilRetry = task.nextRetryAt === null ? 0 : Math.max(0, task.nextRetryAt - now) + expected;
    return Math.max(expected, spent[i] as number) + untilRetry;
  });
}

/** The mean length of ended tasks by kind, and of all of them under ''. */
function meansOf(tasks: readonly DagTask[], spent: readonly number[]): ReadonlyMap<string, number> {
  const sums = new Map<string, { sum: number; count: number }>();
  tasks.forEach((task, i) => {
    if (task.endedAt === null) return;
    for (const kind of [task.kind, '']) {
      const known = sums.get(kind) ?? { sum: 0, count: 0 };
      sums.set(kind, { sum: known.sum + (spent[i] as number), count: known.count + 1 });
    }
  });
  return new Map([...sums].map(([kind, { sum, count }]) => [kind, sum / count]));
}

export interface Highlight {
  readonly nodes: ReadonlySet<number>;
  readonly links: ReadonlySet<number>;
}

/** The nodes that hold tasks of the path, and the links between one and the next. */
export function highlight(path: readonly number[], folded: Folded, nodeOf: ReadonlyMap<number, number>): Highlight {
  const nodes = path.map((task) => nodeOf.get(task) as number);
  const pairs = new Set(nodes.slice(1).map((node, i) => `${nodes[i]} ${node}`));
  const links = folded.links.flatMap(({ parent, child }, i) => (pairs.has(`${parent} ${child}`) ? [i] : []));
  return { nodes: new Set(nodes), links: new Set(links) };
}
