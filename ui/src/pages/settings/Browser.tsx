// SPDX-License-Identifier: Apache-2.0
import { Choice } from '../../parts/Choice';
import { prefer, usePreferences } from '../../shell/preferences';
import { setTheme, useTheme } from '../../shell/theme';
import css from './Settings.module.css';

const THEMES = [{ value: 'system', word: 'System' }, { value: 'light', word: 'Light' }, { value: 'dark', word: 'Dark' }] as const;
const DENSITIES = [{ value: 'compact', word: 'Compact' }, { value: 'comfortable', word: 'Comfortable' }] as const;
const KEYS = [{ value: 'on', word: 'On' }, { value: 'off', word: 'Off' }] as const;

/** What this browser remembers. */
export function Browser() {
  const { singleKeys, density } = usePreferences();
  const theme = useTheme();
  return (
    <section className={`${css.panel} ${css.preferences}`} aria-label="This browser">
      <Choice label="Theme" value={theme} options={THEMES} onChange={setTheme} />
      <Choice label="Rows" value={density} options={DENSITIES} onChange={(next) => prefer({ density: next })} />
      <div>
        <Choice label="Single keys" value={singleKeys ? 'on' : 'off'} options={KEYS} onChange={(next) => prefer({ singleKeys: next === 'on' })} />
        <p className={css.muted}>Keys such as t, j, k and g o are commands. Switch them off if you use speech input or press keys by accident.</p>
      </div>
      <p className={css.muted}>Stored in this browser only.</p>
    </section>
  );
}
