// SPDX-License-Identifier: Apache-2.0
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { settingList } from '../../api/settings';
import { Empty } from '../../parts/Empty';
import { Problem } from '../../parts/Problem';
import css from './Settings.module.css';

/** The settings in force, and where each came from. */
export function Configuration() {
  const { data, error, isError, refetch } = useQuery(settingList);
  const [text, setText] = useState('');
  const [changed, setChanged] = useState(false);
  if (isError) return <section className={css.panel}><Problem error={error} onRetry={() => void refetch()} /></section>;
  if (!data) return <p className={css.loading}>Loading…</p>;
  const wanted = text.trim().toLowerCase();
  const rows = data.filter(({ name, text: about, source }) =>
    (!changed || source !== 'default') && `${name} ${about}`.toLowerCase().includes(wanted));
  return (
    <>
      <div className={css.filters} role="search" aria-label="Settings">
        <input type="search" aria-label="Part of the name or description" placeholder="Part of the name" value={text} onChange={(event) => setText(event.target.value)} />
        <label className={css.check}>
          <input type="checkbox" checked={changed} onChange={(event) => setChanged(event.target.checked)} /> only changed settings
        </label>
      </div>
      <section className={css.panel} aria-label="Configuration">
        {rows.length === 0 && <Empty title={changed && wanted === '' ? 'All settings have their defaults.' : 'No setting matches.'} />}
        {rows.length > 0 && (
          <table className={`${css.table} ${css.settings}`}>
            <thead><tr><th scope="col">Name</th><th scope="col">Value</th><th scope="col">From</th></tr></thead>
            <tbody>
              {rows.map(({ name, value, source, secret, text: about }) => (
                <tr key={name}>
                  <td><code>{name}</code><span className={css.about}>{withCode(about)}</span></td>
                  <td>{value === '' ? <span className={css.muted}>{secret ? 'not set' : 'none'}</span> : secret ? value : <code>{value}</code>}</td>
                  <td className={source === 'default' ? css.muted : undefined}>{source}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </section>
      <p className={css.foot}>This is the configuration of the node that answers you. Secrets are never shown.</p>
    </>
  );
}

/** Text between backticks is code. */
function withCode(text: string) {
  return text.split('`').map((part, i) => (i % 2 === 1 ? <code key={i}>{part}</code> : part));
}
