// SPDX-License-Identifier: Apache-2.0
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Ellipsis } from 'lucide-react';
import { pollEvery } from '../api/live';
import { overview, OVERVIEW_MS } from '../api/overview';
import { marksOf } from './counts';
import type { Mark } from './counts';
import { PLACES } from './places';
import type { Place } from './places';
import css from './SideBar.module.css';

const MORE = 'more-places';

interface Props {
  readonly narrow: boolean;
  /** Whether this person may ask for the counts. */
  readonly mayRead: boolean;
}

/** The places. On a phone a bar at the bottom, with the rarer ones behind "More". */
export function SideBar({ narrow, mayRead }: Props) {
  const { data } = useQuery({ ...overview, enabled: mayRead, refetchInterval: () => pollEvery(OVERVIEW_MS) });
  const marks = marksOf(mayRead ? data : undefined);
  return (
    <nav className={`${css.bar} ${narrow ? css.narrow : ''}`} aria-label="Places">
      <p className={css.brand}>Perdure</p>
      <ul className={css.places}>
        {PLACES.map((place) => (
          <li key={place.path} className={`${css.item} ${place.onPhone ? '' : css.rare}`}>
            <PlaceLink place={place} />
            <Count mark={marks[place.path]} />
          </li>
        ))}
        <li className={`${css.item} ${css.more}`}>
          <button type="button" className={css.place} popoverTarget={MORE}>
            <Ellipsis size={16} strokeWidth={1.75} aria-hidden="true" /> More
          </button>
          <Count mark={marks['/settings']} />
        </li>
      </ul>
      <ul id={MORE} popover="auto" className={css.menu}>
        {PLACES.filter(({ onPhone }) => !onPhone).map((place) => (
          <li key={place.path}><PlaceLink place={place} onGo={() => document.getElementById(MORE)?.hidePopover()} /></li>
        ))}
      </ul>
    </nav>
  );
}

function PlaceLink({ place: { path, name, key, icon: Icon }, onGo }: { readonly place: Place; readonly onGo?: () => void }) {
  const [first, ...rest] = name.split(' ');
  return (
    <Link
      to={path}
      className={css.place ?? ''}
      activeOptions={{ exact: path === '/', includeSearch: false }}
      activeProps={{ className: css.active ?? '' }}
      title={`${name} (g ${key})`}
      {...(onGo ? { onClick: onGo } : {})}
    >
      <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
      <span className={css.name}>{first}{rest.length > 0 && <span className={css.rest}> {rest.join(' ')}</span>}</span>
    </Link>
  );
}

/** Beside the link and not in it, so that the name of the link stays the name of the place. */
function Count({ mark }: { readonly mark: Mark | undefined }) {
  return mark && (
    <span className={mark.text === '' ? css.dot : css.count}>
      {mark.text}<span className={css.hidden}> {mark.word}</span>
    </span>
  );
}
