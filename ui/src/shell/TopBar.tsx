// SPDX-License-Identifier: Apache-2.0
import { Monitor, Moon, Sun } from 'lucide-react';
import type { RefObject } from 'react';
import { toggleLive, useLive } from '../api/live';
import { useAwaySince } from '../api/reach';
import { SearchBox } from './SearchBox';
import css from './TopBar.module.css';
import { nextTheme, useTheme } from './theme';
import { UserMenu } from './UserMenu';

const LIVE = {
  live: { word: 'Live', hint: 'Updated as things happen. Click to pause.' },
  polling: { word: 'Every 5 s', hint: 'No live updates; asking every 5 seconds. Click to pause.' },
  refused: { word: 'Every 5 s', hint: "The server's live connections are all in use; asking every 5 seconds. Click to pause." },
  paused: { word: 'Paused', hint: 'What you see is not updated. Click to resume.' },
} as const;

const THEME = {
  system: { word: 'System', icon: Monitor },
  light: { word: 'Light', icon: Sun },
  dark: { word: 'Dark', icon: Moon },
} as const;

const timeOfDay = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });

export function TopBar({ searchRef }: { readonly searchRef: RefObject<HTMLInputElement | null> }) {
  return (
    <header className={css.bar}>
      <SearchBox inputRef={searchRef} />
      <LiveSwitch />
      <ThemeSwitch />
      <UserMenu />
    </header>
  );
}

function LiveSwitch() {
  const live = useLive();
  const awaySince = useAwaySince();
  const { word, hint } = LIVE[live];
  if (awaySince !== null) {
    return (
      <p className={css.away}>
        <span className={`${css.dot} ${css.none}`} aria-hidden="true" />
        No answer since {timeOfDay.format(awaySince)}
      </p>
    );
  }
  return (
    <button type="button" className={css.quiet} onClick={toggleLive} title={`${hint} (l)`}>
      <span className={`${css.dot} ${css[live]}`} aria-hidden="true" />
      {word}
    </button>
  );
}

function ThemeSwitch() {
  const { word, icon: Icon } = THEME[useTheme()];
  return (
    <button type="button" className={css.quiet} onClick={nextTheme} title="Theme: system, light or dark (t)">
      <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
      <span className={css.hidden}>Theme: </span>
      <span className={css.word}>{word}</span>
    </button>
  );
}
