// SPDX-License-Identifier: Apache-2.0
import type { Firing } from '../../api/schedules';
import { count, exact } from '../../parts/when';
import { Last } from './ScheduleCard';
import css from './Schedules.module.css';

/** The last firings, newest first. */
export function Firings({ firings }: { readonly firings: readonly Firing[] }) {
  return (
    <section className={css.panel}>
      <h2>Firings</h2>
      {firings.length === 0 && <p className={css.muted}>It has not fired yet.</p>}
      <ol className={css.firings}>
        {firings.map((firing) => (
          <li key={firing.fired_at + firing.scheduled_for}>
            <Last firing={firing} />
            <span className={css.muted}>{firingWords(firing)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function firingWords({ manual, scheduled_for: planned, outcome, missed }: Firing): string {
  return [
    manual ? 'run by hand' : `planned for ${exact(Date.parse(planned)).replace(/\.\d{3}/g, '')}`,
    ...(outcome === 'fired' ? [] : [outcome]),
    ...(missed > 0 ? [`replaces ${count(missed)} missed ${missed === 1 ? 'firing' : 'firings'}`] : []),
  ].join(' · ');
}
