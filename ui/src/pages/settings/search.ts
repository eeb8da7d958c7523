// SPDX-License-Identifier: Apache-2.0
// The state of the page in its address: tab, and filter and page of the audit.

export const TABS = ['nodes', 'configuration', 'keys', 'audit', 'browser'] as const;
export type Tab = (typeof TABS)[number];

export interface SettingsSearch {
  readonly tab?: Exclude<Tab, 'nodes'>;
  readonly subject?: string;
  readonly after?: string;
}

/** Keeps what the page understands of its address. */
export function readSettingsSearch(raw: Readonly<Record<string, unknown>>): SettingsSearch {
  const tab = TABS.find((name) => name === raw.tab);
  if (tab === undefined || tab === 'nodes') return {};
  if (tab !== 'audit') return { tab };
  const text = (value: unknown) => (typeof value === 'string' ? value.trim() : '');
  const [subject, after] = [text(raw.subject), text(raw.after)];
  return { tab, ...(subject === '' ? {} : { subject }), ...(after === '' ? {} : { after }) };
}
