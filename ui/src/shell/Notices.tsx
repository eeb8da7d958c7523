// SPDX-License-Identifier: Apache-2.0
// What everybody must know wherever they are: nobody answers, who took the live updates, a new version.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useReducer, useState } from 'react';
import { askAgain, useLive } from '../api/live';
import { useAwaySince } from '../api/reach';
import { useReplaced } from '../api/version';
import { duration } from '../parts/when';
import css from './Notices.module.css';

const RETRY_MS = 5_000;

const timeOfDay = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });

export function Notices() {
  const awaySince = useAwaySince();
  const refused = useLive() === 'refused';
  const replaced = useReplaced();
  return (
    <div className={css.notices}>
      {awaySince !== null && <Away since={awaySince} />}
      {awaySince === null && refused && (
        <p className={css.notice} role="status">The server's live connections are all in use; asking every 5 s instead.</p>
      )}
      {awaySince === null && replaced && (
        <div className={css.notice}>
          <p role="status">A new version is running.</p>
          <button type="button" onClick={() => location.reload()}>Reload</button>
        </div>
      )}
    </div>
  );
}

/** Counts by the clock of the browser: the server has none for it now. */
function Away({ since }: { readonly since: number }) {
  const queries = useQueryClient();
  const paused = useLive() === 'paused';
  const [tryAt, setTryAt] = useState(() => Date.now() + RETRY_MS);
  const now = useSeconds();
  const left = Math.max(0, Math.ceil((tryAt - now) / 1_000));
  const tryNow = () => {
    setTryAt(Date.now() + RETRY_MS);
    void askAgain(queries);
  };
  useEffect(() => {
    if (!paused && now >= tryAt) tryNow();
  });
  return (
    <div className={`${css.notice} ${css.away}`}>
      <p>
        <span className={css.hidden} role="status">No answer from the server. What you see is from {timeOfDay.format(since)}.</span>
        <span aria-hidden="true">
          No answer from the server for {duration(Math.floor((now - since) / 1_000) * 1_000)}.{' '}
          {!paused && <>Trying again {left === 0 ? 'now' : `in ${left} s`}. </>}
          What you see is from {timeOfDay.format(since)}.
        </span>
      </p>
      <button type="button" onClick={tryNow}>Try now</button>
    </div>
  );
}

/** The time of the browser, every second. */
function useSeconds(): number {
  const [now, tick] = useReducer(() => Date.now(), Date.now());
  useEffect(() => {
    const timer = setInterval(tick, 1_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
