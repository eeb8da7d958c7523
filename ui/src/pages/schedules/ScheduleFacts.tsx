// SPDX-License-Identifier: Apache-2.0
import { formatJson } from '../../api/json';
import type { Schedule } from '../../api/schedules';
import css from './Schedules.module.css';
import { zonedTime } from './zoned';

const OVERLAPS: Readonly<Record<Schedule['overlap'], string>> = {
  skip: 'the new run is skipped', queue: 'the new run waits', allow: 'both run',
};
const MISFIRES: Readonly<Record<Schedule['misfire'], string>> = { fire_once: 'it runs once', skip: 'nothing' };

/** What the schedule does, for those who may not change it. */
export function ScheduleFacts({ schedule }: { readonly schedule: Schedule }) {
  const zone = 'zone' in schedule.trigger ? schedule.trigger.zone : undefined;
  const facts = [
    ['When', schedule.description],
    ['Next', schedule.next_firings.map((at) => zonedTime(Date.parse(at), zone)).join(' · ') || 'never'],
    ['If a run is still going', OVERLAPS[schedule.overlap]],
    ['Missed while down', MISFIRES[schedule.misfire]],
    ['Retry', schedule.retry_description ?? 'It is not tried again.'],
  ] as const;
  return (
    <section className={css.panel} aria-label="Schedule">
      <dl className={css.facts}>
        {facts.map(([label, value]) => <div key={label} className={css.fact}><dt>{label}</dt><dd>{value}</dd></div>)}
      </dl>
      <pre className={css.json} tabIndex={0} aria-label="What it submits">{formatJson(schedule.task ?? schedule.batch)}</pre>
    </section>
  );
}
