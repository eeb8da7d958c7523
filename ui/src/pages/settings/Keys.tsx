// SPDX-License-Identifier: Apache-2.0
import { useQuery } from '@tanstack/react-query';
import { Ban, CircleCheck, Clock } from 'lucide-react';
import { useRef, useState } from 'react';
import { serverClock } from '../../api/clock';
import { session } from '../../api/session';
import { keyList, revokeKey } from '../../api/settings';
import type { ApiKey } from '../../api/settings';
import buttons from '../../parts/Button.module.css';
import { Confirm } from '../../parts/Confirm';
import { Empty } from '../../parts/Empty';
import { Problem } from '../../parts/Problem';
import { useAction } from '../../parts/useAction';
import { useRowKeys } from '../../parts/useRowKeys';
import { When } from '../../parts/When';
import { NewKeyDialog } from './NewKey';
import css from './Settings.module.css';
import { keyState } from './words';

const STATES = {
  live: { word: 'Live', icon: CircleCheck, look: css.alive },
  expired: { word: 'Expired', icon: Clock, look: css.muted },
  revoked: { word: 'Revoked', icon: Ban, look: css.muted },
} as const;

export function Keys() {
  const { data, error, isError, refetch } = useQuery(keyList);
  const known = useQuery(session()).data;
  const table = useRef<HTMLTableElement>(null);
  useRowKeys(table);
  const [making, setMaking] = useState(false);
  const [replaced, setReplaced] = useState<ApiKey | null>(null);
  const [asked, setAsked] = useState<ApiKey | null>(null);
  const [asking, setAsking] = useState(false);
  const revoke = useAction((key: ApiKey) => revokeKey(key.id), (key) => `The key ${key.name} is revoked.`);
  const first = known?.asks === false;
  const live = data?.filter((key) => keyState(key, serverClock.now()) === 'live') ?? [];
  const lastAdmin = asked !== null && !live.some((key) => key.id !== asked.id && key.roles.includes('admin'));
  return (
    <>
      <div className={css.filters}>
        <button type="button" className={buttons.primary} onClick={() => { setReplaced(null); setMaking(true); }}>New key</button>
        <p className={css.muted}>To rotate a key, replace it, hand the new one out, and revoke the old one a day later.</p>
      </div>
      <section className={css.panel} aria-label="API keys">
        {isError && <Problem error={error} onRetry={() => void refetch()} />}
        {!data && !isError && <p className={css.loading}>Loading…</p>}
        {data?.length === 0 && (
          <Empty title="No keys yet.">
            <p>Without a key, every program on this machine may do everything. After the first one, every request needs a key.</p>
          </Empty>
        )}
        {data && data.length > 0 && (
          <div className={css.scroll}>
            <table ref={table} className={css.table}>
              <thead>
                <tr>
                  <th scope="col">State</th><th scope="col">Name</th><th scope="col">Roles</th><th scope="col">Created</th>
                  <th scope="col">Last used</th><th scope="col">Expires</th><th scope="col"><span className={css.hidden}>Actions</span></th>
                </tr>
              </thead>
              <tbody>{data.map((key) => (
                <Row
                  key={key.id} apiKey={key} onReplace={() => { setReplaced(key); setMaking(true); }}
                  onRevoke={() => { setAsked(key); setAsking(true); }}
                />
              ))}</tbody>
            </table>
          </div>
        )}
      </section>
      <NewKeyDialog open={making} first={first} replaces={replaced} onClose={() => setMaking(false)} />
      <Confirm
        title={`Revoke the key ${asked?.name ?? ''}?`} action="Revoke the key" open={asking}
        onClose={() => setAsking(false)} onConfirm={() => asked && revoke.mutate(asked)}
      >
        <p>All nodes refuse it within seconds, and sessions that were opened with it end. This cannot be undone.</p>
        {lastAdmin && <p className={css.warning}>It is the last key with the role admin. After that, keys can only be created on the command line, with access to the database.</p>}
      </Confirm>
    </>
  );
}

interface RowProps {
  readonly apiKey: ApiKey;
  readonly onReplace: () => void;
  readonly onRevoke: () => void;
}

function Row({ apiKey, onReplace, onRevoke }: RowProps) {
  const state = keyState(apiKey, serverClock.now());
  const { word, icon: Icon, look } = STATES[state];
  const { name, id, roles, created_at: created, last_used_at: used, expires_at: expires, revoked_at: revoked } = apiKey;
  return (
    <tr>
      <td><span className={`${css.state} ${look}`}><Icon size={14} strokeWidth={1.75} aria-hidden="true" /> {word}</span></td>
      <td className={css.wide}><bdi title={name}>{name}</bdi> <code className={css.muted}>{id}</code></td>
      <td>{roles.join(', ')}</td>
      <td><When at={created} /></td>
      <td>{typeof used === 'string' ? <When at={used} /> : 'never'}</td>
      <td>{typeof revoked === 'string' ? <>revoked <When at={revoked} /></> : typeof expires === 'string' ? <When at={expires} /> : 'never'}</td>
      <td className={css.right}>
        {state === 'live' && <button type="button" aria-label={`Replace ${name}…`} onClick={onReplace}>Replace…</button>}{' '}
        {state === 'live' && <button type="button" className={buttons.danger} aria-label={`Revoke ${name}…`} onClick={onRevoke}>Revoke…</button>}
      </td>
    </tr>
  );
}
