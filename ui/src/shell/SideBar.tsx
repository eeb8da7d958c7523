// SPDX-License-Identifier: Apache-2.0
import { Link } from '@tanstack/react-router';
import css from './SideBar.module.css';
import { PLACES } from './places';

/** The places. On a phone a bar at the bottom that scrolls sideways. */
export function SideBar({ narrow }: { readonly narrow: boolean }) {
  return (
    <nav className={`${css.bar} ${narrow ? css.narrow : ''}`} aria-label="Places">
      <p className={css.brand}>Perdure</p>
      <ul className={css.places}>
        {PLACES.map(({ path, name, key, icon: Icon }) => (
          <li key={path}>
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
          </li>
        ))}
      </ul>
    </nav>
  );
}
