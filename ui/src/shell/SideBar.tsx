// SPDX-License-Identifier: Apache-2.0
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useLive } from '../api/live';
import { overview, OVERVIEW_MS } from '../api/overview';
import { marksOf } from './counts';
import css from './SideBar.module.css';
import { PLACES } from './places';

/** The places. On a phone a bar at the bottom that scrolls sideways. */
export function SideBar({ narrow, inside }: { readonly narrow: boolean; readonly inside: boolean }) {
  const paused = useLive() === 'paused';
  const { data } = useQuery({ ...overview, enabled: inside, refetchInterval: paused ? false : OVERVIEW_MS });
  const marks = marksOf(inside ? data : undefined);
  return (
    <nav className={`${css.bar} ${narrow ? css.narrow : ''}`} aria-label="Places">
      <p className={css.brand}>Perdure</p>
      <ul className={css.places}>
        {PLACES.map(({ path, name, key, icon: Icon }) => (
          <li key={path} className={css.item}>
            <Link
              to={path}
              className={css.place ?? ''}
              activeOptions={{ exact: path === '/', includeSearch: false }}
              activeProps={{ className: css.active ?? '' }}
              title={`${name} (g ${key})`}
            >
              <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
              <span className={css.name}>{name}</span>
            </Link>
            {marks[path] && (
              <span className={marks[path].text === '' ? css.dot : css.count}>
                {marks[path].text}<span className={css.hidden}> {marks[path].word}</span>
              </span>
            )}
          </li>
        ))}
      </ul>
    </nav>
  );
}
