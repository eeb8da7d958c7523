// SPDX-License-Identifier: Apache-2.0
import { Ban, Pause, Play, RotateCw, X } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import type { BulkAction } from '../../api/actions';
import buttons from '../../parts/Button.module.css';
import css from './BulkBar.module.css';

const ACTIONS: readonly { readonly action: BulkAction; readonly word: string; readonly icon: LucideIcon }[] = [
  { action: 'retry', word: 'Retry…', icon: RotateCw },
  { action: 'pause', word: 'Pause…', icon: Pause },
  { action: 'resume', word: 'Resume…', icon: Play },
  { action: 'cancel', word: 'Cancel…', icon: Ban },
];

interface Props {
  /** Such as "3 selected". */
  readonly words: string;
  /** Selects all that match; null if that is done already. */
  readonly onAll: (() => void) | null;
  readonly allWords: string;
  /** Why not all that match can be selected. */
  readonly reason: string | null;
  readonly onAction: (action: BulkAction) => void;
  readonly onClear: () => void;
}

/** What can be done with the selected tasks. */
export function BulkBar({ words, onAll, allWords, reason, onAction, onClear }: Props) {
  return (
    <div className={css.bar} role="region" aria-label="Selected tasks">
      <strong className={css.words} role="status">{words}</strong>
      {onAll && reason === null && <button type="button" className={buttons.quiet} onClick={onAll}>{allWords}</button>}
      {onAll && reason !== null && <span className={css.reason}>{reason}</span>}
      <span className={css.actions}>
        {ACTIONS.map(({ action, word, icon: Icon }) => (
          <button key={action} type="button" className={action === 'cancel' ? buttons.danger : buttons.labelled} onClick={() => onAction(action)}>
            <Icon size={14} strokeWidth={1.75} aria-hidden="true" /> {word}
          </button>
        ))}
        <button type="button" className={buttons.icon} onClick={onClear} aria-label="Deselect all" title="Deselect all (Esc)">
          <X size={16} strokeWidth={1.75} aria-hidden="true" />
        </button>
      </span>
    </div>
  );
}
