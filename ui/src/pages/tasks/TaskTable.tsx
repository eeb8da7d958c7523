// SPDX-License-Identifier: Apache-2.0
import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import type { TaskRow } from '../../api/client';
import { attemptWords, shortId } from '../../parts/attempt';
import { Badge } from '../../parts/Badge';
import { ALL, extended, NONE, pageToggled, toggled, within } from '../../parts/selection';
import type { Selection } from '../../parts/selection';
import { useRowKeys } from '../../parts/useRowKeys';
import { Age, When } from '../../parts/When';
import css from './TaskTable.module.css';
import { useSelectionKeys } from './useSelectionKeys';

interface Props {
  readonly rows: readonly { readonly row: TaskRow; readonly gone: boolean }[];
  readonly selection?: Selection;
  /** Whether all that match can be selected, also on other pages. */
  readonly canAll?: boolean;
  /** Without it rows cannot be selected. */
  readonly onSelect?: (selection: Selection) => void;
}

export function TaskTable({ rows, selection = NONE, canAll = false, onSelect }: Props) {
  const table = useRef<HTMLTableElement>(null);
  const order = rows.map(({ row }) => row.id);
  const selected = new Set(within(selection, order));
  const toggle = (id: string) => onSelect?.(toggled(selection, id));
  const extend = (id: string) => onSelect?.(extended(selection, id, order));
  const all = () => onSelect?.(canAll ? ALL : pageToggled(NONE, order));
  useRowKeys(table);
  useSelectionKeys(table, onSelect ? { onToggle: toggle, onExtend: extend, onAll: all, onClear: () => onSelect(NONE) } : null);
  return (
    <div className={css.scroll}>
      <table ref={table} className={css.table}>
        <thead>
          <tr>
            {onSelect && (
              <th scope="col" className={css.check}>
                <input
                  type="checkbox" aria-label="Select all on this page" checked={selected.size === order.length}
                  onChange={() => onSelect(pageToggled(selection, order))}
                />
              </th>
            )}
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
          {rows.map(({ row, gone }) => (
            <Row
              key={row.id} row={row} gone={gone} selected={selected.has(row.id)}
              onSelect={onSelect ? (range) => (range ? extend(row.id) : toggle(row.id)) : null}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps {
  readonly row: TaskRow;
  readonly gone: boolean;
  readonly selected: boolean;
  readonly onSelect: ((range: boolean) => void) | null;
}

function Row({ row, gone, selected, onSelect }: RowProps) {
  const failure = row.failure_reason ?? row.failure_kind ?? '';
  return (
    <tr data-id={row.id} className={gone ? css.gone : selected ? css.selected : undefined} title={gone ? 'No longer matches the filters' : undefined}>
      {onSelect && (
        <td className={css.check}>
          <input
            type="checkbox" aria-label={`Select ${nameOf(row)}`} checked={selected} aria-keyshortcuts="x"
            onChange={(event) => onSelect((event.nativeEvent as MouseEvent).shiftKey === true)}
          />
        </td>
      )}
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
