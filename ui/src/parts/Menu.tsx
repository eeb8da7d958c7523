// SPDX-License-Identifier: Apache-2.0
import { Menu as Base } from '@base-ui/react/menu';
import type { ReactNode } from 'react';
import css from './Menu.module.css';

export interface MenuItem {
  readonly word: string;
  readonly icon?: ReactNode;
  readonly danger?: boolean;
  readonly onSelect: () => void;
}

interface Props {
  /** What the button shows. */
  readonly children: ReactNode;
  /** The name of a button that shows only an icon. */
  readonly label?: string;
  readonly className?: string | undefined;
  readonly items: readonly MenuItem[];
}

/** A button that opens a menu of actions. */
export function Menu({ children, label, className = '', items }: Props) {
  return (
    <Base.Root>
      <Base.Trigger className={className} aria-label={label}>{children}</Base.Trigger>
      <Base.Portal>
        <Base.Positioner className={css.positioner ?? ''} sideOffset={4} align="end">
          <Base.Popup className={css.popup ?? ''}>
            {items.map(({ word, icon, danger, onSelect }) => (
              <Base.Item key={word} className={`${css.item} ${danger ? css.danger : ''}`} onClick={onSelect}>
                {icon}{word}
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
