// SPDX-License-Identifier: Apache-2.0
import { useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { useId } from 'react';
import { ApiError } from '../../api/problem';
import type { FieldError } from '../../api/problem';
import { triggerPreview } from '../../api/schedules';
import { Choice } from '../../parts/Choice';
import { Problem } from '../../parts/Problem';
import { useDebounced } from '../../parts/useDebounced';
import { DAYS, triggerOf } from './draft';
import type { Day, TriggerDraft } from './draft';
import css from './ScheduleForm.module.css';
import { zonedTime } from './zoned';

const DAY_NAMES: Readonly<Record<Day, string>> = {
  mon: 'Monday', tue: 'Tuesday', wed: 'Wednesday', thu: 'Thursday', fri: 'Friday', sat: 'Saturday', sun: 'Sunday',
};
const MODES = [{ value: 'cron', word: 'cron' }, { value: 'every', word: 'every' }, { value: 'at', word: 'at a time' }] as const;
const ZONES: readonly string[] = Intl.supportedValuesOf('timeZone');
const PREVIEW_MS = 200;
const SHOWN_FIRST = 3;

interface Props {
  readonly trigger: TriggerDraft;
  readonly onChange: (trigger: TriggerDraft) => void;
}

/** When the schedule fires, with what the server makes of it. */
export function TriggerFields({ trigger, onChange }: Props) {
  const wanted = useDebounced(JSON.stringify(triggerOf(trigger)), PREVIEW_MS);
  const preview = useQuery({ ...triggerPreview(JSON.parse(wanted)), retry: false });
  const refused = preview.error instanceof ApiError ? preview.error.errors : [];
  const zones = useId();
  const set = (changes: Partial<TriggerDraft>) => onChange({ ...trigger, ...changes });
  return (
    <>
      <div className={css.row}>
        <Choice label="Trigger" quiet value={trigger.mode} options={MODES} onChange={(mode) => set({ mode })} />
        {trigger.mode === 'cron' && (
          <input className={css.cron} aria-label="Cron expression" value={trigger.cron} onChange={(event) => set({ cron: event.target.value })} />
        )}
        {trigger.mode === 'every' && (
          <input className={css.short} aria-label="Interval" placeholder="10m" value={trigger.every} onChange={(event) => set({ every: event.target.value })} />
        )}
        {trigger.mode === 'at' && (
          <>
            <input className={css.short} aria-label="Time of day" placeholder="08:00" value={trigger.at} onChange={(event) => set({ at: event.target.value })} />
            <Days days={trigger.days} onChange={(days) => set({ days })} />
          </>
        )}
        {trigger.mode !== 'every' && (
          <>
            <input
              className={css.zone} aria-label="Time zone" placeholder="UTC" list={zones} value={trigger.zone}
              onChange={(event) => set({ zone: event.target.value })}
            />
            <datalist id={zones}>{ZONES.map((zone) => <option key={zone} value={zone} />)}</datalist>
          </>
        )}
      </div>
      <Refusals errors={refused} />
      {preview.isError && refused.length === 0 && <Problem error={preview.error} />}
      {preview.data && !preview.isError && <Preview {...preview.data} zone={trigger.mode === 'every' ? '' : trigger.zone} />}
    </>
  );
}

function Days({ days, onChange }: { readonly days: readonly Day[]; readonly onChange: (days: readonly Day[]) => void }) {
  return (
    <span className={css.days} role="group" aria-label="Days; every day if none is chosen">
      {DAYS.map((day) => (
        <label key={day} className={css.day} title={DAY_NAMES[day]}>
          <input
            type="checkbox" aria-label={DAY_NAMES[day]} checked={days.includes(day)}
            onChange={(event) => onChange(DAYS.filter((one) => (one === day ? event.target.checked : days.includes(one))))}
          />
          <span aria-hidden="true">{DAY_NAMES[day].charAt(0)}</span>
        </label>
      ))}
    </span>
  );
}

/** What the server refuses, without the word "trigger." that the reader does not see. */
function Refusals({ errors }: { readonly errors: readonly FieldError[] }) {
  return errors.map(({ path, message }) => (
    <p key={path + message} className={css.error} role="alert">{path.replace(/^trigger\.?/, '') || 'trigger'}: {message}</p>
  ));
}

interface PreviewProps {
  readonly words: string;
  readonly next: readonly string[];
  readonly warnings: readonly { readonly at: string; readonly text: string }[];
  readonly zone: string;
}

function Preview({ words, next, warnings, zone }: PreviewProps) {
  const times = next.map((at) => zonedTime(Date.parse(at), zone));
  return (
    <div className={css.preview}>
      <p>{words.charAt(0).toUpperCase() + words.slice(1)}.</p>
      {times.length > 0 && (
        <details>
          <summary>Next: {times.slice(0, SHOWN_FIRST).join(' · ')}{times.length > SHOWN_FIRST && ` · … ${times.length - SHOWN_FIRST} more`}</summary>
          <ol className={css.times}>{times.map((time) => <li key={time}>{time}</li>)}</ol>
        </details>
      )}
      {warnings.map(({ at, text }) => (
        <p key={at + text} className={css.warning}><TriangleAlert size={14} strokeWidth={1.75} aria-hidden="true" /> {text}</p>
      ))}
    </div>
  );
}
