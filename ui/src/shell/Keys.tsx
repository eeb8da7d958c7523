// SPDX-License-Identifier: Apache-2.0
import { Dialog } from '@base-ui/react/dialog';
import css from './Keys.module.css';
import { PLACES } from './places';

const KEYS: readonly (readonly [string, string])[] = [
  ['/', 'Search or jump: an id, a name, a place'],
  ['?', 'Show this list'],
  ['[', 'Collapse or expand the side bar'],
  ['l', 'Pause or resume live updates'],
  ['t', 'Change the theme'],
  ['j k', 'Move in a list'],
  ['x', 'Select the focused row; with Shift, the range to it'],
  ['a', 'Select all tasks that match'],
  ['f', 'Add a filter'],
  ['p', 'Pause or resume the task'],
  ['r', 'Retry the focused row, or the task, now'],
  ['c', 'Cancel the focused row, or the task, after asking'],
  ['Esc', 'Close, or leave a field'],
  ['← →', 'In a graph: follow the links'],
  ['+ - 0', 'In a graph: zoom, or show everything'],
  ['Enter', 'In a graph: expand, or open the task'],
  ...PLACES.map(({ key, name }) => [`g ${key}`, `Go to ${name}`] as const),
];

/** The list of keys. */
export default function Keys({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  return (
    <Dialog.Root open={open} onOpenChange={(next) => next || onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={css.backdrop ?? ''} />
        <Dialog.Popup className={css.popup ?? ''}>
          <Dialog.Title>Keyboard shortcuts</Dialog.Title>
          <dl className={css.list}>
            {KEYS.map(([key, words]) => (
              <div key={key} className={css.row}>
                <dt><kbd>{key}</kbd></dt>
                <dd>{words}</dd>
              </div>
            ))}
          </dl>
          <Dialog.Close className={css.close ?? ''}>Close</Dialog.Close>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
