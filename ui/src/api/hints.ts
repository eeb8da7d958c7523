// SPDX-License-Identifier: Apache-2.0
// Which queries an event of the server makes stale.

/** What changed. A missing list means any; an empty one means none. */
export interface Hint {
  readonly topic: 'tasks' | 'batches' | 'schedules' | 'nodes';
  readonly kinds?: readonly string[];
  readonly batches?: readonly string[];
  readonly tasks?: readonly string[];
  readonly deliveries?: boolean;
}

/** What may have changed when it is not known what. */
export const ANYTHING: readonly Hint[] = [
  { topic: 'tasks', deliveries: true }, { topic: 'batches' }, { topic: 'schedules' }, { topic: 'nodes' },
];

/** The hint of an event; null if the server speaks another language. */
export function hintOf(topic: Hint['topic'], data: string): Hint | null {
  try {
    const value = JSON.parse(data) as Record<string, unknown>;
    const lists = Object.fromEntries((['kinds', 'batches', 'tasks'] as const)
      .flatMap((name) => (Array.isArray(value[name]) ? [[name, value[name] as string[]]] : [])));
    return { topic, ...lists, deliveries: value.deliveries === true };
  } catch {
    return null;
  }
}

/**
 * Whether the answer to this query may have changed.
 *
 * @param batch the batch that the query is about, if it is about one
 */
export function concerns(hint: Hint, key: readonly unknown[], batch?: string): boolean {
  const [root, part, detail] = key;
  if (root === 'nodes') return hint.topic === 'nodes';
  if (root !== 'tasks') return false;
  if (part === 'schedules' || part === 'schedule') return hint.topic === 'schedules' || someTask(hint);
  if (part === 'overview') return hint.topic !== 'batches' && (hint.topic !== 'tasks' || someTask(hint) || hint.deliveries === true);
  // Everything that people do is in the audit, and no event tells of it alone.
  if (part === 'audit') return hint.topic !== 'nodes';
  if (part === 'batches') return isAbout(hint, detail === 'one' ? key[3] : undefined);
  if (hint.topic !== 'tasks') return false;
  if (part === 'deliveries') return hint.deliveries === true;
  // What a task waits for is in its batch.
  if (part === 'one') return includes(hint.tasks, detail) || (batch !== undefined && includes(hint.batches, batch));
  const filters = typeof part === 'object' && part !== null ? part : detail;
  return someTask(hint) && mayMatch(hint, filters);
}

function someTask({ topic, kinds, batches }: Hint): boolean {
  return topic === 'tasks' && (kinds?.length !== 0 || batches?.length !== 0);
}

function isAbout({ topic, batches }: Hint, batch: unknown): boolean {
  return (topic === 'batches' || topic === 'tasks') && batches?.length !== 0 && (batch === undefined || includes(batches, batch));
}

function includes(names: readonly string[] | undefined, name: unknown): boolean {
  return names === undefined || names.includes(String(name));
}

/** Whether a task that changed can be in a list with these filters. Only a whole kind is compared. */
function mayMatch({ kinds, batches }: Hint, filters: unknown): boolean {
  const { kind, batch_id: batch } = (typeof filters === 'object' && filters !== null ? filters : {}) as Record<string, unknown>;
  if (typeof batch === 'string' && !includes(batches, batch)) return false;
  return typeof kind !== 'string' || !kind.startsWith('=') || kind.includes(',') || includes(kinds, kind.slice(1));
}
