// SPDX-License-Identifier: Apache-2.0
// What a node of the graph shows: one task, or many that are folded.
import { attemptWords } from '../parts/attempt';
import { partWords, stateParts } from '../parts/stateParts';
import type { StatePart } from '../parts/stateParts';
import { stateWord } from '../parts/states';
import type { State } from '../parts/states';
import { count, duration, relative } from '../parts/when';
import type { Folded, FoldedNode, GraphLink } from './fold';
import type { DagTask } from './read';

export interface Face {
  readonly key: string;
  readonly title: string;
  /** How many tasks it stands for. */
  readonly size: number;
  /** Of a fold, the state that needs most attention. */
  readonly state: State;
  readonly parts: readonly StatePart[];
  /** The task, unless it is a fold. */
  readonly task: DagTask | null;
}

/** The first of these that occurs is the state of a fold. */
const ATTENTION: readonly State[] = [
  'Failure', 'Parked', 'RetryPending', 'Running', 'Claimed', 'Paused', 'Pending', 'Waiting', 'Canceled', 'Success',
];

export function facesOf(folded: Folded, tasks: readonly DagTask[]): Face[] {
  return folded.nodes.map((node) => faceOf(node, tasks));
}

function faceOf({ key, kind, members }: FoldedNode, tasks: readonly DagTask[]): Face {
  const only = members.length === 1 ? tasks[members[0] as number] : undefined;
  if (only) return { key, title: only.name, size: 1, state: only.status, parts: [{ state: only.status, count: 1 }], task: only };
  const counts = new Map<State, number>();
  for (const member of members) {
    const status = tasks[member]?.status ?? 'Waiting';
    counts.set(status, (counts.get(status) ?? 0) + 1);
  }
  const state = ATTENTION.find((candidate) => counts.has(candidate)) ?? 'Waiting';
  return { key, title: kind, size: members.length, state, parts: stateParts(counts), task: null };
}

/** The second line of a task: its state in words, with what is worth knowing now. */
export function stateLine(task: DagTask, now: number): string {
  const { status, startedAt, endedAt, nextRetryAt } = task;
  if (status === 'RetryPending') {
    const wait = nextRetryAt === null ? '' : ` · ${nextRetryAt <= now ? 'due' : relative(nextRetryAt, now)}`;
    return `attempt ${attemptWords(task)}${wait}`;
  }
  if (status === 'Running' && startedAt !== null) return `Running · ${duration(now - startedAt)}`;
  if (endedAt !== null && startedAt !== null) return `${stateWord(status)} · ${duration(endedAt - startedAt)}`;
  return stateWord(status);
}

/** Everything that a node says, for screen readers. */
export function faceWords(face: Face, now: number): string {
  const { task, title, size, parts } = face;
  if (!task) return `${title}, ${count(size)} tasks: ${parts.map(partWords).join(', ')}`;
  const words = [title, stateWord(task.status).toLowerCase()];
  if (task.status === 'RetryPending') {
    words.push(`attempt ${attemptWords(task)}`);
    if (task.nextRetryAt !== null) words.push(task.nextRetryAt <= now ? 'due' : `next ${relative(task.nextRetryAt, now)}`);
  }
  return words.join(', ');
}

/** What a fold says below its bar: everything that is not simply done or waiting. */
export function foldLine({ parts, size }: Face): string {
  const done = parts.filter(({ state }) => ['Success', 'Failure', 'Canceled'].includes(state)).reduce((sum, part) => sum + part.count, 0);
  const rest = parts.filter(({ state }) => ['Failure', 'RetryPending', 'Running', 'Parked', 'Paused'].includes(state));
  return [`${count(done)} of ${count(size)}`, ...rest.map(partWords)].join(' · ');
}

/** The graph with one node for each task. */
export function unfolded(tasks: readonly DagTask[], links: readonly GraphLink[]): Folded {
  return {
    nodes: tasks.map(({ id, kind }, index) => ({ key: id, kind, depth: 0, members: [index] })),
    links: links.map((link) => ({ ...link, count: 1 })),
  };
}

/** The node of each task. */
export function nodesByTask(folded: Folded): ReadonlyMap<number, number> {
  return new Map(folded.nodes.flatMap(({ members }, node) => members.map((member) => [member, node] as const)));
}

/** The tasks whose name, kind or id contains the text, in the order of the graph. */
export function findTasks(tasks: readonly DagTask[], text: string): number[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return [];
  return tasks.flatMap(({ name, kind, id }, index) =>
    ([name, kind, id].some((field) => field.toLowerCase().includes(wanted)) ? [index] : []));
}
