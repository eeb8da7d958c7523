// SPDX-License-Identifier: Apache-2.0
import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import type { BatchRow } from '../../api/batches';
import { shortId } from '../../parts/attempt';
import { Badge } from '../../parts/Badge';
import { Age } from '../../parts/When';
import { StateBar } from '../../parts/StateBar';
import { useRowKeys } from '../../parts/useRowKeys';
import css from './BatchTable.module.css';
import { batchState, doneWords, partsOf, restWords } from './counts';

interface Props {
  readonly rows: readonly { readonly row: BatchRow; readonly gone: boolean }[];
}

export function BatchTable({ rows }: Props) {
  const table = useRef<HTMLTableElement>(null);
  useRowKeys(table);
  return (
    <div className={css.scroll}>
      <table ref={table} className={css.table}>
        <thead>
          <tr>
            <th scope="col" className={css.state}>State</th>
            <th scope="col">Name</th>
            <th scope="col" className={css.progress}>Progress</th>
            <th scope="col" className={css.kinds}>Kinds</th>
            <th scope="col" className={css.run}>Run</th>
            <th scope="col" className={css.time}>Age</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ row, gone }) => <Row key={row.batch_id} row={row} gone={gone} />)}
        </tbody>
      </table>
    </div>
  );
}

function Row({ row, gone }: { readonly row: BatchRow; readonly gone: boolean }) {
  const words = [doneWords(row), ...restWords(row.status_counts)].join(' · ');
  const kinds = row.kinds.join(', ');
  return (
    <tr className={gone ? css.gone : undefined} title={gone ? 'No longer matches the filters' : undefined}>
      <td><Badge state={batchState(row)} /></td>
      <td title={row.name ?? row.batch_id}>
        <Link to="/batches/$id" params={{ id: row.batch_id }} className={css.link ?? ''}>
          {row.name ?? shortId(row.batch_id)}
        </Link>
      </td>
      <td title={words}>
        <div className={css.words}>
          <StateBar parts={partsOf(row.status_counts)} />
          <span>{words}</span>
        </div>
      </td>
      <td title={kinds}>{kinds}</td>
      <td>{row.run + 1}</td>
      <td><Age at={row.created_at} /></td>
    </tr>
  );
}
