// SPDX-License-Identifier: Apache-2.0
import { Outlet, useMatchRoute, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { toggleLive, useEvents } from '../api/live';
import { Gate, useAccess } from './Gate';
import { isCovered, KeyReader, takesText } from './keys';
import type { Command } from './keys';
import { PLACES } from './places';
import { preferences } from './preferences';
import css from './Shell.module.css';
import { SideBar } from './SideBar';
import { nextTheme } from './theme';
import { TopBar } from './TopBar';

const Keys = lazy(() => import('./Keys'));
const Toasts = lazy(() => import('../parts/Toasts'));

/** Calls back with the command of each key press that is one. */
function useCommands(run: (command: Command) => void): void {
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  useEffect(() => {
    const reader = new KeyReader(PLACES.map((place) => place.key));
    const press = (event: KeyboardEvent) => {
      if (!preferences().singleKeys) return;
      const modified = event.ctrlKey || event.altKey || event.metaKey;
      const typing = takesText(event.target) || isCovered();
      const command = reader.press({ key: event.key, at: event.timeStamp, modified, typing });
      if (command === null) return;
      event.preventDefault();
      latest.current(command);
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}

/** The login page stands alone. */
export function Root() {
  const atLogin = useMatchRoute()({ to: '/login' });
  return atLogin === false ? <Shell /> : <Outlet />;
}

function Shell() {
  const [narrow, setNarrow] = useState(false);
  const [help, setHelp] = useState<'never' | 'open' | 'closed'>('never');
  const search = useRef<HTMLInputElement>(null);
  const navigate = useNavigate();
  const access = useAccess();
  useEvents(access === 'inside');
  useCommands((command) => {
    if (command === 'search') search.current?.focus();
    else if (command === 'help') setHelp('open');
    else if (command === 'theme') nextTheme();
    else if (command === 'live') toggleLive();
    else if (command === 'sidebar') setNarrow((was) => !was);
    else {
      const place = PLACES.find(({ key }) => command === `go ${key}`);
      if (place) void navigate({ to: place.path });
    }
  });
  return (
    <div className={css.shell}>
      <a className={css.skip} href="#content">Skip to content</a>
      <SideBar narrow={narrow} inside={access === 'inside'} />
      <TopBar searchRef={search} />
      <main id="content" className={css.content} tabIndex={-1}>
        <Gate access={access}><Outlet /></Gate>
      </main>
      <Suspense><Toasts /></Suspense>
      {help !== 'never' && (
        <Suspense>
          <Keys open={help === 'open'} onClose={() => setHelp('closed')} />
        </Suspense>
      )}
    </div>
  );
}
