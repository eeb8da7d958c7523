// SPDX-License-Identifier: Apache-2.0
import type { Node as NodeRow } from '../../api/settings';

const RANK: Readonly<Record<NodeRow['state'], number>> = { late: 0, alive: 1, dead: 2 };

/** Late ones first, then those that are alive by name, then the dead, the newest first. */
export function nodesInOrder(nodes: readonly NodeRow[]): NodeRow[] {
  return [...nodes].sort((a, b) => RANK[a.state] - RANK[b.state]
    || (a.state === 'dead' ? b.seen_at.localeCompare(a.seen_at) : a.name.localeCompare(b.name)));
}
