// SPDX-License-Identifier: Apache-2.0
import { useQuery } from '@tanstack/react-query';
import { CircleCheck, CircleDashed, CircleX } from 'lucide-react';
import { nodeList } from '../../api/settings';
import type { Node } from '../../api/settings';
import { Empty } from '../../parts/Empty';
import { Problem } from '../../parts/Problem';
import { When } from '../../parts/When';
import { count } from '../../parts/when';
import css from './Settings.module.css';
import { kindList, slotWords } from './words';

const STATES = {
  alive: { word: 'Alive', icon: CircleCheck },
  late: { word: 'Late', icon: CircleDashed },
  dead: { word: 'Died', icon: CircleX },
} as const;

/** All nodes that run or have died within a day. */
export function Nodes() {
  const { data, error, isError, refetch } = useQuery(nodeList);
  if (isError && !data) return <section className={css.panel}><Problem error={error} onRetry={() => void refetch()} /></section>;
  if (!data) return <p className={css.loading}>Loading…</p>;
  return (
    <>
      {isError && <Problem error={error} onRetry={() => void refetch()} />}
      <section className={css.panel} aria-label="Nodes">
        {data.nodes.length === 0 && <Empty title="No node has reported yet." />}
        {data.nodes.length > 0 && (
          <div className={css.scroll}>
            <table className={css.table}>
              <thead>
                <tr>
                  <th scope="col">State</th>
                  <th scope="col">Name</th>
                  <th scope="col">Slots</th>
                  <th scope="col">Last seen</th>
                  <th scope="col">Started</th>
                  <th scope="col">Version</th>
                  <th scope="col">Holds</th>
                  <th scope="col">Kinds</th>
                </tr>
              </thead>
              <tbody>{data.nodes.map((node) => <Row key={node.id} node={node} answering={node.name === data.name} />)}</tbody>
            </table>
          </div>
        )}
      </section>
      <p className={css.foot}>
        {data.nodes.filter(({ state }) => state !== 'dead').length === 1
          ? 'One node. Start another with the same DATABASE_URL, on PostgreSQL.'
          : 'A node is late when it has not reported for 10 seconds. Nodes that died are listed for a day.'}
      </p>
    </>
  );
}

function Row({ node, answering }: { readonly node: Node; readonly answering: boolean }) {
  const { word, icon: Icon } = STATES[node.state];
  const kinds = kindList(node.kinds);
  const { busy, of } = node.slots;
  return (
    <tr>
      <td><span className={`${css.state} ${css[node.state]}`}><Icon size={14} strokeWidth={1.75} aria-hidden="true" /> {word}</span></td>
      <td title={node.id}><bdi>{node.name}</bdi>{answering && <span className={css.muted}> · answers you</span>}</td>
      <td>
        {typeof of === 'number' && of > 0 && node.state !== 'dead' && <meter className={css.meter} min={0} max={of} value={busy} aria-label="Busy slots" />}
        {node.state === 'dead' ? '–' : slotWords(busy, of)}
      </td>
      <td><When at={node.seen_at} /></td>
      <td><When at={node.joined_at} /></td>
      <td>{node.version ?? '–'}</td>
      <td>{count(node.held)}</td>
      <td className={css.wide} title={node.kinds.join(', ')}>{kinds}</td>
    </tr>
  );
}
