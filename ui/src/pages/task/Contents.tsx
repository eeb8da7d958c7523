// SPDX-License-Identifier: Apache-2.0
import { Tabs } from '@base-ui/react/tabs';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { TaskDetails } from '../../api/client';
import { formatJson } from '../../api/json';
import { deliveriesOf } from '../../api/task';
import type { Delivery } from '../../api/task';
import { CopyButton } from '../../parts/CopyButton';
import { Problem } from '../../parts/Problem';
import { When } from '../../parts/When';
import { count } from '../../parts/when';
import css from './TaskPage.module.css';

/** Longer text is folded: the page stays quick. */
const FOLD_ABOVE = 100_000;
const FOLDED = 10_000;

/** Payload, metadata, result, webhooks and their deliveries. Only what is there has a tab. */
export function Contents({ task }: { readonly task: TaskDetails }) {
  const webhooks = { ...(isFilled(task.actions) ? { actions: task.actions } : {}), ...(task.notify.length > 0 ? { notify: task.notify } : {}) };
  const values: readonly (readonly [string, unknown])[] = [
    ['Payload', task.payload], ['Metadata', task.metadata], ['Result', task.result], ['Webhooks', webhooks],
  ];
  const shown = values.filter(([, value]) => isFilled(value));
  const delivers = isFilled(webhooks);
  if (shown.length === 0) return <section className={css.panel}><p className={css.muted}>No payload, no metadata and no result.</p></section>;
  return (
    <section className={css.panel} aria-label="Contents">
      <Tabs.Root defaultValue={shown[0]?.[0]}>
        <Tabs.List className={css.tabs ?? ''}>
          {shown.map(([name]) => <Tabs.Tab key={name} value={name} className={css.tab ?? ''}>{name}</Tabs.Tab>)}
          {delivers && <Tabs.Tab value="Deliveries" className={css.tab ?? ''}>Deliveries</Tabs.Tab>}
        </Tabs.List>
        {shown.map(([name, value]) => (
          <Tabs.Panel key={name} value={name}><Json name={name} value={value} /></Tabs.Panel>
        ))}
        {delivers && <Tabs.Panel value="Deliveries"><Deliveries id={task.id} /></Tabs.Panel>}
      </Tabs.Root>
    </section>
  );
}

function isFilled(value: unknown): boolean {
  if (value === null || value === undefined) return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

/** JSON as it is stored: large numbers keep every digit. */
function Json({ name, value }: { readonly name: string; readonly value: unknown }) {
  const [whole, setWhole] = useState(false);
  const text = formatJson(value);
  const folded = text.length > FOLD_ABOVE && !whole;
  return (
    <>
      <pre className={css.json} tabIndex={0} aria-label={name}>{folded ? `${text.slice(0, FOLDED)}…` : text}</pre>
      <div className={css.attemptActions}>
        <CopyButton word={`Copy ${name.toLowerCase()}`} text={() => text} />
        {text.length > FOLD_ABOVE && <button type="button" onClick={() => download(`${name.toLowerCase()}.json`, text)}>Download</button>}
        {folded && <button type="button" onClick={() => setWhole(true)}>Show all {count(text.length)} characters</button>}
      </div>
    </>
  );
}

/** Saves text as a file. */
function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

const STATES: Readonly<Record<Delivery['state'], string>> = { pending: 'Pending', sent: 'Sent', dead: 'Given up' };

function Deliveries({ id }: { readonly id: string }) {
  const query = useQuery(deliveriesOf(id));
  if (query.isError) return <Problem error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <p className={css.muted}>Loading…</p>;
  if (query.data.length === 0) return <p className={css.muted}>Nothing has been sent yet.</p>;
  return (
    <ul className={css.deliveries}>
      {query.data.map((one) => (
        <li key={one.id}>
          <span className={one.state === 'dead' ? css.dead : undefined}>{STATES[one.state]}</span>
          <span>{one.trigger}{one.channel ? ` to ${one.channel}` : ''}</span>
          <span className={css.muted}>attempt {one.attempt + 1}</span>
          {one.due_at ? <span className={css.muted}>next <When at={one.due_at} past="due" /></span> : <When at={one.ended_at ?? one.last_updated} />}
          {one.failure_reason && <span className={css.reason}>{one.failure_reason}</span>}
        </li>
      ))}
    </ul>
  );
}
