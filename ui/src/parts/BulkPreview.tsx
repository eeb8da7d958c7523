// SPDX-License-Identifier: Apache-2.0
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import type { BulkAction } from '../api/actions';
import { retryWave } from '../api/retries';
import { Wave } from '../charts/Wave';
import { shortId } from './attempt';
import { previewLines, rateWords, SPREADS, windowOf } from './bulk';
import type { Preview, Spread } from './bulk';
import css from './BulkDialog.module.css';
import { Problem } from './Problem';
import { Select } from './Select';
import { count } from './when';

interface Props {
  readonly action: BulkAction;
  readonly preview: Preview;
  readonly when: Spread | 'now';
  /** Null if retries cannot be spread. */
  readonly onWhen: ((when: Spread | 'now') => void) | null;
  readonly wave: Preview['wave'];
  readonly waveError: unknown;
}

/** What would happen: to how many, when, the wave that follows, and an example. */
export function BulkPreview({ action, preview, when, onWhen, wave, waveError }: Props) {
  const { example } = preview;
  return (
    <>
      <ul className={css.lines}>
        {previewLines(action, preview).map((line) => <li key={line}>{line}</li>)}
      </ul>
      {action === 'retry' && onWhen && preview.changed > 1 && <WhenChoice tasks={preview.changed} when={when} onWhen={onWhen} />}
      {waveError !== null && <Problem error={waveError} />}
      {wave && preview.changed > 1 && <After wave={wave} />}
      {example && (
        <p className={css.example}>
          <span className={css.muted}>For example</span>
          <bdi>{[example.kind, example.name ?? shortId(example.id), example.failure_reason].filter(Boolean).join(' · ')}</bdi>
        </p>
      )}
    </>
  );
}

interface WhenProps {
  readonly tasks: number;
  readonly when: Spread | 'now';
  readonly onWhen: (when: Spread | 'now') => void;
}

/** Spread over some time, or now. */
export function WhenChoice({ tasks, when, onWhen }: WhenProps) {
  const name = useId();
  const shown = when === 'now' ? '10m' : when;
  return (
    <fieldset className={css.when}>
      <legend>When</legend>
      <div className={css.option}>
        <label><input type="radio" name={name} checked={when !== 'now'} onChange={() => onWhen(shown)} /> spread over</label>
        <Select label="Spread over" quiet value={shown} options={SPREADS} onChange={onWhen} />
        <span className={css.muted}>{rateWords(tasks, shown)}</span>
      </div>
      <div className={css.option}>
        <label><input type="radio" name={name} checked={when === 'now'} onChange={() => onWhen('now')} /> now, as fast as there are slots</label>
      </div>
    </fieldset>
  );
}

function After({ wave }: { readonly wave: NonNullable<Preview['wave']> }) {
  const window = windowOf(wave);
  // Its buckets are minutes.
  const usual = useQuery(retryWave('hour')).data?.usual;
  return (
    <section className={css.after} aria-label="The wave after it">
      <p className={css.muted}>
        {typeof usual === 'number' ? `Usual load: ${count(Math.round(usual))} a minute. ` : ''}The wave after it:
      </p>
      <Wave wave={{ ...wave, estimated: false, usual: window === 'hour' ? usual ?? null : null }} window={window} height={88} />
    </section>
  );
}
