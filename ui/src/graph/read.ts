// SPDX-License-Identifier: Apache-2.0
// Reads the graph of a batch as the server sends it: links by id, or by index with a digest of the shape.
import type { AttemptFacts } from '../parts/attempt';
import { isState } from '../parts/states';
import type { State } from '../parts/states';
import type { GraphLink, GraphTask } from './fold';

export interface DagTask extends GraphTask, AttemptFacts {
  readonly name: string;
  readonly status: State;
  readonly createdAt: number | null;
  readonly runAt: number | null;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly nextRetryAt: number | null;
}

export interface Dag {
  readonly run: number;
  /** A digest of kinds and links: graphs with the same shape have the same layout. */
  readonly shape: string;
  readonly tasks: readonly DagTask[];
  readonly links: readonly GraphLink[];
  /** Links that begin at a task of another batch. */
  readonly outside: number;
  readonly truncated: boolean;
  /** Whether the server told the shape, and so can tell what has changed since. */
  readonly knowsShape: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

export function readDag(body: unknown): Dag {
  const answer = fieldsOf(body);
  const tasks = listOf(answer.tasks).map((task) => taskOf(fieldsOf(task)));
  const { links, outside } = linksOf(listOf(answer.links), tasks);
  const told = typeof answer.shape === 'string' ? answer.shape : null;
  const first = fieldsOf(listOf(answer.tasks)[0]);
  return {
    run: numberOf(answer.run) ?? numberOf(first.run) ?? 0,
    shape: told ?? shapeOf(tasks, links), knowsShape: told !== null,
    tasks, links, outside, truncated: answer.truncated === true,
  };
}

/**
 * What was known, with the tasks that have changed. Null if the answer is about another graph, so
 * that all of it must be asked for.
 */
export function updateDag(known: Dag, body: unknown): Dag | null {
  const answer = fieldsOf(body);
  if (answer.shape !== known.shape || (numberOf(answer.run) ?? known.run) !== known.run) return null;
  const changed = new Map(listOf(answer.tasks).map((task) => taskOf(fieldsOf(task))).map((task) => [task.id, task]));
  if (changed.size === 0) return known;
  return { ...known, tasks: known.tasks.map((task) => changed.get(task.id) ?? task) };
}

function taskOf(task: Fields): DagTask {
  const id = textOf(task.id) ?? '';
  const status = textOf(task.status) ?? '';
  return {
    id,
    kind: textOf(task.kind) ?? '',
    name: textOf(task.name) ?? textOf(task.local_id) ?? textOf(task.kind) ?? id,
    status: isState(status) ? status : 'Waiting',
    attempt: numberOf(task.attempt) ?? 0,
    badge: textOf(task.badge) ?? placeWords(fieldsOf(task.place)),
    retry_canonical: (task.retry_canonical ?? null) as NonNullable<AttemptFacts['retry_canonical']> | null,
    createdAt: instantOf(task.created_at),
    runAt: instantOf(task.run_at),
    startedAt: instantOf(task.started_at),
    endedAt: instantOf(task.ended_at),
    nextRetryAt: instantOf(task.next_retry_at),
  };
}

/** "attempt 3/5, step 1/3", of a server that sends numbers instead of words. */
function placeWords({ step, steps, attempt, of }: Fields): string | null {
  if (typeof attempt !== 'number') return null;
  const words = `attempt ${attempt}/${typeof of === 'number' ? of : '∞'}`;
  return typeof steps === 'number' && steps > 1 ? `${words}, step ${String(step)}/${steps}` : words;
}

function linksOf(raw: readonly unknown[], tasks: readonly GraphTask[]): { links: GraphLink[]; outside: number } {
  const indexes = new Map(tasks.map((task, index) => [task.id, index]));
  const links = raw.flatMap((link) => {
    const read = Array.isArray(link) ? byIndex(link, tasks.length) : byId(fieldsOf(link), indexes);
    return read === null ? [] : [read];
  });
  return { links, outside: raw.length - links.length };
}

function byIndex([parent, child, requires]: readonly unknown[], size: number): GraphLink | null {
  if (typeof parent !== 'number' || typeof child !== 'number') return null;
  const known = parent >= 0 && parent < size && child >= 0 && child < size;
  return known ? { parent, child, requiresSuccess: requires !== 0 && requires !== false } : null;
}

function byId(link: Fields, indexes: ReadonlyMap<string, number>): GraphLink | null {
  const parent = indexes.get(textOf(link.parent_id) ?? '');
  const child = indexes.get(textOf(link.child_id) ?? '');
  if (parent === undefined || child === undefined) return null;
  return { parent, child, requiresSuccess: link.requires_success !== false };
}

/** FNV-1a over kinds and links, in two halves: enough to tell the few graphs of one browser apart. */
export function shapeOf(tasks: readonly GraphTask[], links: readonly GraphLink[]): string {
  let one = 0x811c9dc5;
  let two = 0x01000193;
  const add = (value: number) => {
    one = Math.imul(one ^ value, 0x01000193);
    two = Math.imul(two ^ value, 0x85ebca6b) ^ (two >>> 13);
  };
  for (const { kind } of tasks) {
    for (let i = 0; i < kind.length; i++) add(kind.charCodeAt(i));
    add(0x1_0000);
  }
  for (const { parent, child, requiresSuccess } of links) {
    add(parent);
    add(child);
    add(requiresSuccess ? 1 : 0);
  }
  return `${tasks.length}-${links.length}-${(one >>> 0).toString(16)}${(two >>> 0).toString(16)}`;
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value as Fields : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

function instantOf(value: unknown): number | null {
  const at = typeof value === 'string' ? Date.parse(value) : NaN;
  return Number.isNaN(at) ? null : at;
}
