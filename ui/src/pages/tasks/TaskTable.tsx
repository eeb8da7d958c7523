// SPDX-License-Identifier: Apache-2.0
import { Link } from '@tanstack/react-router';
import { Ellipsis } from 'lucide-react';
import { useRef, useState } from 'react';
import type { ReactNode } from 'react';
import type { BulkAction } from '../../api/actions';
import type { TaskRow } from '../../api/client';
import { shortId } from '../../parts/attempt';
import { allows } from '../../parts/bulk';
import buttons from '../../parts/Button.module.css';
import { Menu } from '../../parts/Menu';
import { ALL, extended, NONE, pageToggled, toggled, within } from '../../parts/selection';
import type { Selection } from '../../parts/selection';
import { copyText } from '../../parts/toast';
import { useRowKeys } from '../../parts/useRowKeys';
import { COLUMN_SPECS } from './columns';
import { DEFAULT_COLUMNS } from './search';
import type { Column } from './search';
import css from './TaskTable.module.css';
import { useRowActionKeys } from './useRowActionKeys';
import { useSelectionKeys } from './useSelectionKeys';

export type OnAct = (action: BulkAction, rows: readonly TaskRow[]) => void;

interface Props {
  readonly rows: readonly { readonly row: TaskRow; readonly gone: boolean }[];
  readonly columns?: readonly Column[];
  readonly selection?: Selection;
  /** Whether all that match can be selected, also on other pages. */
  readonly canAll?: boolean;
  /** Without it rows cannot be selected. */
  readonly onSelect?: (selection: Selection) => void;
  /** Without it the menu of a row only copies. */
  readonly onAct?: OnAct;
}

export function TaskTable({ rows, columns = DEFAULT_COLUMNS, selection = NONE, canAll = false, onSelect, onAct }: Props) {
  const table = useRef<HTMLTableElement>(null);
  const order = rows.map(({ row }) => row.id);
  const selected = new Set(within(selection, order));
  const toggle = (id: string) => onSelect?.(toggled(selection, id));
  const extend = (id: string) => onSelect?.(extended(selection, id, order));
  const all = () => onSelect?.(canAll ? ALL : pageToggled(NONE, order));
  useRowKeys(table);
  useSelectionKeys(table, onSelect ? { onToggle: toggle, onExtend: extend, onAll: all, onClear: () => onSelect(NONE) } : null);
  useRowActionKeys(table, rows, selected, onAct);
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
            {columns.map((column, i) => [
              ...(i === nameIndex(columns) ? [<th key="name" scope="col" className={css.name}>Name</th>] : []),
              <th key={column} scope="col" className={COLUMN_SPECS[column].width}>{COLUMN_SPECS[column].word}</th>,
            ])}
            {nameIndex(columns) === columns.length && <th scope="col" className={css.name}>Name</th>}
            <th scope="col" className={css.menu}><span className={css.hidden}>Actions</span></th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ row, gone }) => (
            <Row
              key={row.id} row={row} gone={gone} columns={columns} selected={selected.has(row.id)} onAct={gone ? undefined : onAct}
              onSelect={onSelect ? (range) => (range ? extend(row.id) : toggle(row.id)) : null}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The name stands after state and kind. */
function nameIndex(columns: readonly Column[]): number {
  return columns.filter((column) => column === 'state' || column === 'kind').length;
}

interface RowProps {
  readonly row: TaskRow;
  readonly gone: boolean;
  readonly columns: readonly Column[];
  readonly selected: boolean;
  readonly onSelect: ((range: boolean) => void) | null;
  readonly onAct: OnAct | undefined;
}

function Row({ row, gone, columns, selected, onSelect, onAct }: RowProps) {
  const name = nameOf(row);
  const cells = columns.map((column) => {
    const { text, cell } = COLUMN_SPECS[column];
    return <Cell key={column} text={text(row)} plain={!cell}>{cell ? cell(row) : text(row)}</Cell>;
  });
  const link = (
    <td key="name" title={row.name ?? row.id}>
      <Link to="/tasks/$id" params={{ id: row.id }} className={css.link ?? ''}>{name}</Link>
    </td>
  );
  return (
    <tr data-id={row.id} className={gone ? css.gone : selected ? css.selected : undefined} title={gone ? 'No longer matches the filters' : undefined}>
      {onSelect && (
        <td className={css.check}>
          <input
            type="checkbox" aria-label={`Select ${name}`} checked={selected} aria-keyshortcuts="x"
            onChange={(event) => onSelect((event.nativeEvent as MouseEvent).shiftKey === true)}
          />
        </td>
      )}
      {cells.toSpliced(nameIndex(columns), 0, link)}
      <td className={css.menu}>
        <Menu label={`Actions of ${name}`} className={buttons.icon} items={[...(onAct ? actionsOf(row, onAct) : []), { word: 'Copy id', onSelect: () => void copyText(row.id) }]}>
          <Ellipsis size={16} strokeWidth={1.75} aria-hidden="true" />
        </Menu>
      </td>
    </tr>
  );
}

const WORDS: readonly { readonly action: BulkAction; readonly word: (row: TaskRow) => string }[] = [
  { action: 'retry', word: (row) => (row.allowed.includes('retry_now') ? 'Retry now' : 'Revive…') },
  { action: 'pause', word: () => 'Pause' },
  { action: 'resume', word: () => 'Resume' },
  { action: 'cancel', word: () => 'Cancel…' },
];

function actionsOf(row: TaskRow, onAct: OnAct) {
  return WORDS.filter(({ action }) => allows(action, row))
    .map(({ action, word }) => ({ word: word(row), danger: action === 'cancel', onSelect: () => onAct(action, [row]) }));
}

/** A cell that shows for a moment that it has changed. */
function Cell({ text, plain, children }: { readonly text: string; readonly plain: boolean; readonly children: ReactNode }) {
  const [seen, setSeen] = useState({ text, changes: 0 });
  if (seen.text !== text) setSeen({ text, changes: seen.changes + 1 });
  // The key starts the animation anew.
  return <td key={seen.changes} className={seen.changes > 0 ? css.changed : undefined} title={plain ? text : undefined}>{children}</td>;
}

function nameOf(row: TaskRow): string {
  return row.name ?? row.local_id ?? shortId(row.id);
}
