// SPDX-License-Identifier: Apache-2.0
import { useQuery } from '@tanstack/react-query';
import { Circle, CircleDashed, CircleX } from 'lucide-react';
import { nodeList } from '../../api/settings';
import type { Node as NodeRow } from '../../api/settings';
import { Problem } from '../../parts/Problem';
import { Age, When } from '../../parts/When';
import { count } from '../../parts/when';
import css from './Nodes.module.css';
import { nodesInOrder } from './nodes';

const SHOWN = 10;
const ICONS = { alive: Circle, late: CircleDashed, dead: CircleX } as const;

/** The nodes, those that are late first. */
export function Nodes() {
  const { data, error, isError, refetch } = useQuery({ ...nodeList, select: ({ nodes }) => nodes });
  if (!data) return isError ? <Problem error={error} onRetry={() => void refetch()} /> : <p className={css.muted}>Loading…</p>;
  const all = nodesInOrder(data);
  return (
    <>
      <ul className={css.nodes}>{all.slice(0, SHOWN).map((node) => <Node key={node.id} node={node} />)}</ul>
      {all.length > SHOWN && <p className={css.muted}>{count(all.length - SHOWN)} more</p>}
      {all.length === 1 && <p className={css.muted}>One node. Start another with the same DATABASE_URL, on PostgreSQL.</p>}
    </>
  );
}

function Node({ node: { name, state, slots, seen_at: seenAt } }: { readonly node: NodeRow }) {
  const Icon = ICONS[state];
  return (
    <li className={css.node}>
      <Icon className={css[state]} size={12} strokeWidth={2.5} aria-hidden="true" />
      <bdi className={css.name} title={name}>{name}</bdi>
      {state !== 'dead' && slots.of !== null && <span title="Busy slots">{count(slots.busy)}/{count(slots.of)}</span>}
      <span className={state === 'alive' ? css.muted : css[state]}>
        {state === 'alive' && <When at={seenAt} />}
        {state === 'late' && <>late: <Age at={seenAt} /></>}
        {state === 'dead' && <>died, last seen <When at={seenAt} /></>}
      </span>
    </li>
  );
}
