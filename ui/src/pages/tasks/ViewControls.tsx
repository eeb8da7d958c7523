// SPDX-License-Identifier: Apache-2.0
import { Menu } from '@base-ui/react/menu';
import { Check, ChevronDown } from 'lucide-react';
import buttons from '../../parts/Button.module.css';
import menu from '../../parts/Menu.module.css';
import { Select } from '../../parts/Select';
import { COLUMN_SPECS } from './columns';
import { COLUMNS, columnSearch, columnsOf, SORT_WORDS, sortsFor } from './search';
import type { Column, Sort, TaskSearch, TaskView } from './search';
import css from './TasksPage.module.css';

interface Props {
  readonly search: TaskSearch;
  readonly onView: (view: TaskView) => void;
}

/** The order and the columns of the list. */
export function ViewControls({ search, onView }: Props) {
  const { sort, columns: named } = search;
  const columns = columnsOf({ ...search });
  const kept = named === undefined ? {} : { columns: named };
  const order = sort === undefined ? {} : { sort };
  const toggle = (column: Column) => onView({
    ...order, ...columnSearch(columns.includes(column) ? columns.filter((one) => one !== column) : [...columns, column]),
  });
  const sorts: readonly ('' | Sort)[] = ['', ...sortsFor({ ...search })];
  return (
    <div className={css.view}>
      <Select
        label="Sort" value={sort ?? ''} options={sorts.map((value) => ({ value, word: SORT_WORDS[value] }))}
        onChange={(next) => onView({ ...kept, ...(next === '' ? {} : { sort: next }) })}
      />
      <Menu.Root>
        <Menu.Trigger className={buttons.labelled ?? ''}>Columns <ChevronDown size={14} strokeWidth={1.75} aria-hidden="true" /></Menu.Trigger>
        <Menu.Portal>
          <Menu.Positioner className={menu.positioner ?? ''} sideOffset={4} align="end">
            <Menu.Popup className={menu.popup ?? ''}>
              {COLUMNS.map((column) => (
                <Menu.CheckboxItem key={column} className={menu.item ?? ''} checked={columns.includes(column)} onCheckedChange={() => toggle(column)}>
                  <Check size={14} strokeWidth={1.75} aria-hidden="true" visibility={columns.includes(column) ? 'visible' : 'hidden'} />
                  {COLUMN_SPECS[column].word}
                </Menu.CheckboxItem>
              ))}
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
    </div>
  );
}
