// SPDX-License-Identifier: Apache-2.0
import { useEffect, useRef } from 'react';
import { takesText } from '../../shell/keys';

/** Calls back with single keys that are not text, not the second key of a "g" and not for a dialog. */
export function useActionKeys(run: (key: string) => void): void {
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const modified = event.ctrlKey || event.altKey || event.metaKey || event.shiftKey;
      if (event.defaultPrevented || event.repeat || modified || takesText(event.target)) return;
      if (document.querySelector('[role$=dialog], [role=menu]')) return;
      latest.current(event.key);
    };
    // On window, after the keys of the whole page, which prevent the default of theirs.
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
}
