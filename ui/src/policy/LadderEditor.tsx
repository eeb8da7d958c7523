// SPDX-License-Identifier: Apache-2.0
import { Chips } from '../parts/Chips';
import type { LadderDraft } from './ladder';
import css from './LadderEditor.module.css';
import { LadderPreview } from './LadderPreview';
import { LadderSteps } from './LadderSteps';

interface Props {
  readonly draft: LadderDraft;
  readonly on: boolean;
  readonly onChange: (draft: LadderDraft) => void;
  readonly onSwitch: (on: boolean) => void;
}

/** Retries in steps. Switched off it stays as it is, so that switching on again loses nothing. */
export function LadderEditor({ draft, on, onChange, onSwitch }: Props) {
  return (
    <div className={css.editor}>
      <div className={css.head}>
        <label className={css.switch}>
          <input type="checkbox" role="switch" checked={on} onChange={(event) => onSwitch(event.target.checked)} />
          Retry {on ? 'on' : 'off'}
        </label>
        <Chips
          label="only for" placeholder="failure code" values={draft.only} disabled={!on}
          onChange={(only) => onChange({ ...draft, only })}
        />
      </div>
      <LadderSteps steps={draft.steps} disabled={!on} onChange={(steps) => onChange({ ...draft, steps })} />
      <LadderPreview draft={draft} on={on} />
    </div>
  );
}
