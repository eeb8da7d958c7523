// SPDX-License-Identifier: Apache-2.0
// Folds tasks that are alike into one node, so that a fan of 2,000 tasks is drawn as three nodes.

export interface GraphTask {
  readonly id: string;
  readonly kind: string;
}

/** Indexes of parent and child. */
export interface GraphLink {
  readonly parent: number;
  readonly child: number;
  readonly requiresSuccess: boolean;
}

export interface FoldedNode {
  /** The id of the first member: stable while tasks and links stay the same. */
  readonly key: string;
  readonly kind: string;
  readonly depth: number;
  readonly members: readonly number[];
}

export interface FoldedLink {
  readonly parent: number;
  readonly child: number;
  readonly requiresSuccess: boolean;
  /** How many links it stands for. */
  readonly count: number;
}

export interface Folded {
  readonly nodes: readonly FoldedNode[];
  readonly links: readonly FoldedLink[];
}

const MOST_ROUNDS = 12;

/**
 * Two tasks are alike if they have the same depth and kind, and their parents and children are
 * alike. Every link leads to a greater depth, and all members of a node have the same one, so the
 * folded graph has no cycle. `expanded` holds the keys of nodes to leave unfolded.
 */
export function fold(
  tasks: readonly GraphTask[],
  links: readonly GraphLink[],
  expanded: ReadonlySet<string> = new Set(),
): Folded {
  const depths = depthsOf(tasks.length, links);
  const classes = classesOf(tasks, links, depths);
  return assemble(tasks, links, depths, split(tasks, classes, expanded));
}

/** The length of the longest path to each task. Throws if the links form a cycle. */
export function depthsOf(size: number, links: readonly GraphLink[]): Int32Array {
  const children: number[][] = Array.from({ length: size }, () => []);
  const unmet = new Int32Array(size);
  for (const { parent, child } of links) {
    if (!(parent in children) || !(child in children)) throw new RangeError('A link names a task that does not exist.');
    children[parent]?.push(child);
    unmet[child] = (unmet[child] ?? 0) + 1;
  }
  const depths = new Int32Array(size);
  const ready: number[] = [];
  unmet.forEach((count, task) => count === 0 && ready.push(task));
  for (let next = 0; next < ready.length; next++) {
    const parent = ready[next] as number;
    for (const child of children[parent] ?? []) {
      depths[child] = Math.max(depths[child] ?? 0, (depths[parent] ?? 0) + 1);
      unmet[child] = (unmet[child] ?? 0) - 1;
      if (unmet[child] === 0) ready.push(child);
    }
  }
  if (ready.length < size) throw new Error('The links form a cycle.');
  return depths;
}

/** Starts with depth and kind, and splits classes by their neighbours until nothing changes. */
function classesOf(tasks: readonly GraphTask[], links: readonly GraphLink[], depths: Int32Array): Int32Array {
  let current = numbered(tasks.map((task, i) => `${depths[i]} ${task.kind}`));
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const next = numbered(signatures(current.classes, links));
    if (next.count === current.count) break;
    current = next;
  }
  return current.classes;
}

function numbered(signatures: readonly string[]): { classes: Int32Array; count: number } {
  const numbers = new Map<string, number>();
  const classes = Int32Array.from(signatures, (signature) => {
    const known = numbers.get(signature);
    if (known !== undefined) return known;
    numbers.set(signature, numbers.size);
    return numbers.size - 1;
  });
  return { classes, count: numbers.size };
}

/** Own class, distinct classes of the parents, distinct classes of the children. */
function signatures(classes: Int32Array, links: readonly GraphLink[]): string[] {
  const parents = Array.from(classes, () => new Set<number>());
  const children = Array.from(classes, () => new Set<number>());
  for (const { parent, child, requiresSuccess } of links) {
    // Both kinds of links are drawn differently, so a task with one is not like a task with the other.
    const flag = requiresSuccess ? 1 : 0;
    parents[child]?.add((classes[parent] as number) * 2 + flag);
    children[parent]?.add((classes[child] as number) * 2 + flag);
  }
  return Array.from(classes, (own, i) => `${own}|${sorted(parents[i])}|${sorted(children[i])}`);
}

function sorted(numbers: ReadonlySet<number> = new Set()): string {
  return [...numbers].sort((a, b) => a - b).join();
}

/** Gives every member of an expanded class a class of its own. */
function split(tasks: readonly GraphTask[], classes: Int32Array, expanded: ReadonlySet<string>): Int32Array {
  if (expanded.size === 0) return classes;
  const keys = new Map<number, string>();
  classes.forEach((own, i) => keys.has(own) || keys.set(own, tasks[i]?.id ?? ''));
  let next = keys.size;
  return classes.map((own) => (expanded.has(keys.get(own) ?? '') ? next++ : own));
}

function assemble(
  tasks: readonly GraphTask[], links: readonly GraphLink[], depths: Int32Array, classes: Int32Array,
): Folded {
  const nodes: { key: string; kind: string; depth: number; members: number[] }[] = [];
  const nodeOf = new Map<number, number>();
  tasks.forEach((task, i) => {
    const own = classes[i] as number;
    const node = nodes[nodeOf.get(own) ?? -1];
    if (node) node.members.push(i);
    else nodeOf.set(own, nodes.push({ key: task.id, kind: task.kind, depth: depths[i] as number, members: [i] }) - 1);
  });
  return { nodes, links: joined(links, (task) => nodeOf.get(classes[task] as number) as number) };
}

function joined(links: readonly GraphLink[], nodeOf: (task: number) => number): FoldedLink[] {
  const joint = new Map<string, { parent: number; child: number; requiresSuccess: boolean; count: number }>();
  for (const { parent, child, requiresSuccess } of links) {
    const from = nodeOf(parent);
    const to = nodeOf(child);
    const key = `${from} ${to} ${requiresSuccess}`;
    const same = joint.get(key);
    if (same) same.count++;
    else joint.set(key, { parent: from, child: to, requiresSuccess, count: 1 });
  }
  return [...joint.values()];
}
