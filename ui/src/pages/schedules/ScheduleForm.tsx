// SPDX-License-Identifier: Apache-2.0
import { useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { ApiError } from '../../api/problem';
import type { FieldError } from '../../api/problem';
import buttons from '../../parts/Button.module.css';
import { Choice } from '../../parts/Choice';
import { actionWords } from '../../parts/toast';
import { FIRST_LADDER } from '../../policy/ladder';
import { LadderEditor } from '../../policy/LadderEditor';
import { draftErrors } from './draft';
import type { Draft } from './draft';
import css from './ScheduleForm.module.css';
import { TriggerFields } from './TriggerFields';

const OVERLAPS = [{ value: 'skip', word: 'skip' }, { value: 'queue', word: 'queue' }, { value: 'allow', word: 'allow' }] as const;
const MISFIRES = [{ value: 'fire_once', word: 'run once' }, { value: 'skip', word: 'skip' }] as const;

interface Props {
  readonly initial: Draft;
  /** A stored schedule: its name cannot be changed. */
  readonly stored: boolean;
  /** The retry policy in words, for one that is not a ladder. */
  readonly policyWords?: string | null;
  readonly busy: boolean;
  readonly error: unknown;
  readonly onSave: (draft: Draft) => void;
  readonly onDiscard: () => void;
}

/** The editor of a schedule. */
export function ScheduleForm({ initial, stored, policyWords, busy, error, onSave, onDiscard }: Props) {
  const [draft, setDraft] = useState(initial);
  const [tried, setTried] = useState(false);
  const set = (changes: Partial<Draft>) => setDraft({ ...draft, ...changes });
  const own = tried ? draftErrors(draft) : [];
  const refused = error instanceof ApiError ? error.errors.filter(({ path }) => !path.startsWith('trigger')) : [];
  const at = (...paths: string[]) => [...own, ...refused].filter((one) => paths.some((path) => one.path === path || one.path.startsWith(`${path}.`) || one.path.startsWith(`${path}[`)));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (draftErrors(draft).length === 0) onSave(draft);
  };
  return (
    <form className={css.form} onSubmit={submit} aria-label="Schedule">
      {!stored && (
        <Field label="Name" errors={at('name')}>
          <input className={css.name} aria-label="Name" value={draft.name} maxLength={255} onChange={(event) => set({ name: event.target.value })} />
        </Field>
      )}
      <Field label="When"><TriggerFields trigger={draft.trigger} onChange={(trigger) => set({ trigger })} /></Field>
      <Field label="Rules" errors={at('overlap', 'misfire')}>
        <div className={css.rules}>
          <Choice label="If a run is still going" value={draft.overlap} options={OVERLAPS} onChange={(overlap) => set({ overlap })} />
          <Choice label="Missed while down" value={draft.misfire} options={MISFIRES} onChange={(misfire) => set({ misfire })} />
        </div>
      </Field>
      <Field label="Submits" errors={at('task', 'batch')}>
        <textarea
          className={css.work} aria-label="Task or tasks to submit, as JSON" spellCheck={false} rows={Math.min(14, draft.work.split('\n').length + 1)}
          value={draft.work} onChange={(event) => set({ work: event.target.value })}
        />
        <p className={css.hint}>
          A task as JSON, or an array of tasks.
          {stored && ' Secrets of webhooks are not shown: if you change this, enter them again.'}
        </p>
      </Field>
      <Field label="Retry" errors={at('retry')}>
        {draft.ladder
          ? <LadderEditor draft={draft.ladder} on={draft.retryOn} onChange={(ladder) => set({ ladder })} onSwitch={(retryOn) => set({ retryOn })} />
          : (
            <>
              <p>{policyWords ?? 'It has a policy that is not a ladder.'}</p>
              <p><button type="button" onClick={() => set({ ladder: FIRST_LADDER })}>Use steps instead</button></p>
            </>
          )}
      </Field>
      {error !== null && <Refusal error={error} all={refused.filter((one) => one.path === '')} />}
      <div className={css.foot}>
        {stored && <p className={css.hint}>Applies from the next firing. A retry under way keeps its own steps.</p>}
        <button type="button" onClick={() => { setDraft(initial); setTried(false); onDiscard(); }}>Discard</button>
        <button type="submit" className={buttons.primary} disabled={busy}>Save</button>
      </div>
    </form>
  );
}

interface FieldProps {
  readonly label: string;
  readonly errors?: readonly FieldError[];
  readonly children: ReactNode;
}

function Field({ label, errors = [], children }: FieldProps) {
  return (
    <div className={css.field}>
      <p className={css.label}>{label}</p>
      <div className={css.value}>
        {children}
        {errors.map(({ path, message }) => (
          <p key={path + message} className={css.error} role="alert">{path.includes('.') || path.includes('[') ? `${path}: ` : ''}{message}</p>
        ))}
      </div>
    </div>
  );
}

function Refusal({ error, all }: { readonly error: unknown; readonly all: readonly FieldError[] }) {
  const { title, detail } = actionWords(error);
  const named = error instanceof ApiError && error.errors.length > 0;
  return (
    <p className={css.error} role="alert">
      {named ? `Not saved. ${all.map(({ message }) => message).join(' ')}` : `${title} ${detail}`}
    </p>
  );
}
