// SPDX-License-Identifier: Apache-2.0
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { LinkProps } from '@tanstack/react-router';
import { taskFacets } from '../../api/queries';
import { toParams } from '../../parts/filters';
import type { FilterParams, Filters } from '../../parts/filters';
import { STATES, stateWord } from '../../parts/states';
import { capped } from '../../parts/when';
import css from './TasksPage.module.css';

const MOST_KINDS = 6;

interface Props {
  readonly filters: Filters;
  /** What is counted, if it is not only what the reader chose. */
  readonly counted?: FilterParams;
  /** The address of the list with other filters. */
  readonly linkTo?: (filters: FilterParams) => LinkProps;
}

/** How many tasks are in each state under the present filter, and of which kinds they are once a state is chosen. */
export function Facets({ filters, counted = toParams(filters), linkTo = (search) => ({ to: '/tasks', search }) }: Props) {
  const { data } = useQuery(taskFacets(counted));
  if (!data) return <p className={css.facets} />;
  const states = STATES.filter((state) => (data.status[state] ?? 0) > 0);
  const kinds = filters.status.length > 0 ? data.kind.slice(0, MOST_KINDS) : [];
  return (
    <>
      {states.length > 0 && (
        <p className={css.facets}>
          <span className={css.total}>State</span>
          {states.map((state) => (
            <Link key={state} {...linkTo(toParams({ ...filters, status: [state] }))}>{stateWord(state)} {capped(data.status[state] ?? 0)}</Link>
          ))}
        </p>
      )}
      {kinds.length > 1 && (
        <p className={css.facets}>
          <span className={css.total}>Kind</span>
          {kinds.map(({ value, count }) => (
            <Link key={value} {...linkTo(toParams({ ...filters, fields: { ...filters.fields, kind: `=${value}` } }))}><bdi>{value}</bdi> {capped(count, 1_000)}</Link>
          ))}
        </p>
      )}
    </>
  );
}
