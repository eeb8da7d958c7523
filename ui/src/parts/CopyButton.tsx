// SPDX-License-Identifier: Apache-2.0
import { Copy } from 'lucide-react';
import { useState } from 'react';
import buttons from './Button.module.css';
import css from './CopyButton.module.css';
import { Dialog } from './Dialog';
import { done } from './toast';

interface Props {
  /** The words on the button, such as "Copy link". */
  readonly word: string;
  readonly text: () => string;
}

/** Copies text. Without https the browser has no clipboard: then it shows the text, selected. */
export function CopyButton({ word, text }: Props) {
  const [shown, setShown] = useState<string | null>(null);
  const copy = async () => {
    const value = text();
    try {
      await navigator.clipboard.writeText(value);
      done('Copied.');
    } catch {
      setShown(value);
    }
  };
  return (
    <>
      <button type="button" className={buttons.labelled} onClick={() => void copy()}>
        <Copy size={14} strokeWidth={1.75} aria-hidden="true" /> {word}
      </button>
      <Dialog title={word} open={shown !== null} onClose={() => setShown(null)}>
        <p>The browser does not allow copying here. The text is selected: copy it by hand.</p>
        <textarea className={css.text} aria-label="Text to copy" readOnly rows={6} value={shown ?? ''} autoFocus onFocus={(event) => event.target.select()} />
      </Dialog>
    </>
  );
}
