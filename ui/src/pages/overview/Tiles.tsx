// SPDX-License-Identifier: Apache-2.0
import type { Overview } from '../../api/overview';
import { Age, When } from '../../parts/When';
import css from './Tiles.module.css';
import { isStoreAway } from './sentences';
import { TargetLink } from './Sentences';
import { tilesOf } from './tiles';

/** Five numbers, each a link to what it counts. */
export function Tiles({ overview }: { readonly overview: Overview }) {
  return (
    <dl className={`${css.tiles} ${isStoreAway(overview) ? css.old : ''}`}>
      {tilesOf(overview).map(({ name, value, note, at, target }) => (
        <div key={name} className={css.tile}>
          <dt>{target ? <TargetLink target={target} className={css.link ?? ''}>{name}</TargetLink> : name}</dt>
          <dd className={css.value}>{value}</dd>
          <dd className={css.note}>
            {note}
            {at !== null && <> {name === 'Due' ? <Age at={at} /> : <When at={at} past="due" />}</>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
