// SPDX-License-Identifier: Apache-2.0
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleUserRound } from 'lucide-react';
import { useState } from 'react';
import { logOut, session, SESSION_KEY } from '../api/session';
import { problemWords } from '../parts/problemWords';
import css from './UserMenu.module.css';

const MENU = 'user-menu';

/** Who is logged in, what that person may do, and the way out. Without keys there is nobody to show. */
export function UserMenu() {
  const { data } = useQuery(session());
  const queries = useQueryClient();
  const [problem, setProblem] = useState('');
  if (data === undefined || !data.asks || data.who === null) return null;
  const leave = async () => {
    try {
      await logOut();
      queries.setQueryData(SESSION_KEY, { asks: true, who: null, roles: [] });
    } catch (error) {
      setProblem(`You are still logged in. ${problemWords(error).title}`);
    }
  };
  return (
    <>
      <button type="button" className={css.who} popoverTarget={MENU} title="Who you are, and log out">
        <CircleUserRound size={16} strokeWidth={1.75} aria-hidden="true" />
        <span className={css.name}>{data.who}</span>
      </button>
      <div id={MENU} popover="auto" className={css.menu}>
        <p>Logged in as <bdi>{data.who}</bdi></p>
        <p className={css.roles}>Roles: {data.roles.join(', ') || 'none'}</p>
        <button type="button" onClick={() => void leave()}>Log out</button>
        <p className={css.problem} role="alert">{problem}</p>
      </div>
    </>
  );
}
