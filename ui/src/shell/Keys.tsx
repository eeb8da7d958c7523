// SPDX-License-Identifier: Apache-2.0
import { Dialog } from '@base-ui/react/dialog';
import css from './Keys.module.css';
import { PLACES } from './places';
import { usePageKeys } from './useKeys';

const EVERYWHERE: readonly { readonly keys: string; readonly words: string }[] = [
  { keys: '/', words: 'Search or jump: an id, a name, a place' },
  { keys: '?', words: 'Show this list' },
  { keys: '[', words: 'Collapse or expand the side bar' },
  { keys: 'l', words: 'Pause or resume live updates' },
  { keys: 't', words: 'Change the theme' },
  { keys: 'Esc', words: 'Close, or leave a field' },
  ...PLACES.map(({ key, name }) => ({ keys: `g ${key}`, words: `Go to ${name}` })),
];

/** The keys of the page and those that work everywhere. */
export default function Keys({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const ofPage = usePageKeys();
  return (
    <Dialog.Root open={open} onOpenChange={(next) => next || onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={css.backdrop ?? ''} />
        <Dialog.Popup className={css.popup ?? ''}>
          <Dialog.Title>Keyboard shortcuts</Dialog.Title>
          {ofPage.length > 0 && <><h3>On this page</h3><List lines={ofPage} /><h3>Everywhere</h3></>}
          <List lines={EVERYWHERE} />
          <Dialog.Close className={css.close ?? ''}>Close</Dialog.Close>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function List({ lines }: { readonly lines: readonly { readonly keys: string; readonly words: string }[] }) {
  return (
    <dl className={css.list}>
      {lines.map(({ keys, words }) => (
        <div key={words} className={css.row}>
          <dt><kbd>{keys}</kbd></dt>
          <dd>{words}</dd>
        </div>
      ))}
    </dl>
  );
}
