// SPDX-License-Identifier: Apache-2.0
import { Link } from '@tanstack/react-router';
import type { TaskRow } from '../../api/client';
import { attemptWords, shortId } from '../../parts/attempt';
import { Badge } from '../../parts/Badge';
import { Age, When } from '../../parts/When';
import css from './TaskTable.module.css';

interface Props {
  readonly rows: readonly { readonly row: TaskRow; readonly gone: boolean }[];
}

export function TaskTable({ rows }: Props) {
  return (
    <div className={css.scroll}>
      <table className={css.table}>
        <thead>
          <tr>
            <th scope="col" className={css.state}>State</th>
            <th scope="col" className={css.kind}>Kind</th>
            <th scope="col" className={css.name}>Name</th>
            <th scope="col" className={css.attempt}>Attempt</th>
            <th scope="col" className={css.failure}>Failure</th>
            <th scope="col" className={css.time}>Next</th>
            <th scope="col" className={css.time}>Age</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ row, gone }) => <Row key={row.id} row={row} gone={gone} />)}
        </tbody>
      </table>
    </div>
  );
}

function Row({ row, gone }: { readonly row: TaskRow; readonly gone: boolean }) {
  const failure = row.failure_reason ?? row.failure_kind ?? '';
  return (
    <tr className={gone ? css.gone : undefined} title={gone ? 'No longer matches the filters' : undefined}>
      <td><Badge state={row.status} /></td>
      <td title={row.kind}>{row.kind}</td>
      <td title={row.name ?? row.id}>
        <Link to="/tasks/$id" params={{ id: row.id }} className={css.link ?? ''}>{nameOf(row)}</Link>
      </td>
      <td>{attemptWords(row)}</td>
      <td title={failure}>{failure}</td>
      <td><Next row={row} /></td>
      <td><Age at={row.created_at} /></td>
    </tr>
  );
}

function nameOf(row: TaskRow): string {
  return row.name ?? row.local_id ?? shortId(row.id);
}

/** When the task starts next, if anybody knows. */
function Next({ row }: { readonly row: TaskRow }) {
  if (row.status === 'RetryPending' && typeof row.next_retry_at === 'string') {
    return <When at={row.next_retry_at} past="due" />;
  }
  if (row.status === 'Pending') return <When at={row.run_at} past="due" />;
  return '–';
}
