// SPDX-License-Identifier: Apache-2.0
import { useSearch } from '@tanstack/react-router';
import { AdminOnly } from '../../parts/AdminOnly';
import { Tabs } from '../../parts/Tabs';
import { Audit } from './Audit';
import { Browser } from './Browser';
import { Configuration } from './Configuration';
import { Keys } from './Keys';
import { Nodes } from './Nodes';
import { TABS } from './search';
import type { Tab } from './search';
import css from './Settings.module.css';

const WORDS: Readonly<Record<Tab, string>> = {
  nodes: 'Nodes', configuration: 'Configuration', keys: 'Keys', audit: 'Audit', browser: 'This browser',
};

export function SettingsPage() {
  const search = useSearch({ from: '/settings' });
  const current = search.tab ?? 'nodes';
  return (
    <>
      <title>Settings · Perdure</title>
      <div className={css.heading}>
        <h1>Settings</h1>
        <Tabs
          label="Settings"
          tabs={TABS.map((tab) => ({ to: '/settings', search: tab === 'nodes' ? {} : { tab }, word: WORDS[tab], current: tab === current }))}
        />
      </div>
      {current === 'nodes' && <Nodes />}
      {current === 'configuration' && <AdminOnly what="see the configuration"><Configuration /></AdminOnly>}
      {current === 'keys' && <AdminOnly what="see and change API keys"><Keys /></AdminOnly>}
      {current === 'audit' && <AdminOnly what="read the audit log"><Audit subject={search.subject} after={search.after} /></AdminOnly>}
      {current === 'browser' && <Browser />}
    </>
  );
}
