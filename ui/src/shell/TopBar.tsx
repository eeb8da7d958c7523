// SPDX-License-Identifier: Apache-2.0
import { useNavigate } from '@tanstack/react-router';
import { Monitor, Moon, Search, Sun } from 'lucide-react';
import { useState } from 'react';
import type { RefObject, FormEvent } from 'react';
import { toggleLive, useLive } from '../api/live';
import { useAwaySince } from '../api/reach';
import { fromText, toParams } from '../parts/filters';
import css from './TopBar.module.css';
import { nextTheme, useTheme } from './theme';
import { UserMenu } from './UserMenu';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const LIVE = {
  live: { word: 'Live', hint: 'Updated as things happen. Select to pause.' },
  polling: { word: 'Every 5 s', hint: 'No live updates; asking every 5 seconds. Select to pause.' },
  paused: { word: 'Paused', hint: 'What you see is not updated. Select to go on.' },
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

/** Jumps to a task by its id, or filters tasks. */
function SearchBox({ inputRef }: { readonly inputRef: RefObject<HTMLInputElement | null> }) {
  const [text, setText] = useState('');
  const navigate = useNavigate();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const wanted = text.trim();
    if (wanted === '') return;
    if (UUID.test(wanted)) void navigate({ to: '/tasks/$id', params: { id: wanted.toLowerCase() } });
    else void navigate({ to: '/tasks', search: toParams(fromText(wanted)) });
    setText('');
    inputRef.current?.blur();
  };
  return (
    <form className={css.search} role="search" onSubmit={submit}>
      <Search size={16} strokeWidth={1.75} aria-hidden="true" />
      <input
        ref={inputRef}
        type="search"
        aria-label="Search tasks or enter a task id"
        placeholder="Search: kind:charge status:fail 503"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
      />
      <kbd aria-hidden="true">/</kbd>
    </form>
  );
}

function LiveSwitch() {
  const live = useLive();
  const awaySince = useAwaySince();
  const { word, hint } = LIVE[live];
  if (awaySince !== null) {
    return (
      <p className={css.away} role="status">
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
