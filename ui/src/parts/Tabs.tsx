// SPDX-License-Identifier: Apache-2.0
import { Link } from '@tanstack/react-router';
import type { DeadSearch } from '../pages/dead/search';
import type { SettingsSearch } from '../pages/settings/search';
import css from './Tabs.module.css';

type Place =
  | { readonly to: '/dead'; readonly search: DeadSearch }
  | { readonly to: '/settings'; readonly search: SettingsSearch };

interface Props {
  readonly label: string;
  readonly tabs: readonly (Place & { readonly word: string; readonly current: boolean })[];
}

/** Parts of a page, each with its own address. */
export function Tabs({ label, tabs }: Props) {
  return (
    <nav className={css.tabs} aria-label={label}>
      {tabs.map(({ to, search, word, current }) => (
        <Link
          key={JSON.stringify(search)} to={to} search={search as never} className={css.tab ?? ''}
          // Else the router also marks the first tab, whose search is part of every other.
          activeOptions={{ exact: true }} aria-current={current ? 'page' : undefined}
        >
          {word}
        </Link>
      ))}
    </nav>
  );
}
