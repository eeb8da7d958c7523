// SPDX-License-Identifier: Apache-2.0
import { Link } from '@tanstack/react-router';
import { Play, TriangleAlert } from 'lucide-react';
import type { Firing, ScheduleRow } from '../../api/schedules';
import { useMay } from '../../api/session';
import { Badge } from '../../parts/Badge';
import buttons from '../../parts/Button.module.css';
import { isState } from '../../parts/states';
import { When } from '../../parts/When';
import { duration } from '../../parts/when';
import { More } from './More';
import { Results } from './Results';
import css from './Schedules.module.css';
import { UnderWay } from './UnderWay';
import { useScheduleActions } from './useScheduleActions';
import { zonedTime } from './zoned';

const MOST_UNDER_WAY = 2;

export function ScheduleCard({ schedule }: { readonly schedule: ScheduleRow }) {
  const actions = useScheduleActions(schedule);
  const mayRun = useMay('operate');
  const mayEdit = useMay('admin');
  const zone = 'zone' in schedule.trigger ? schedule.trigger.zone : undefined;
  const hidden = schedule.retry_under_way.length - MOST_UNDER_WAY;
  return (
    <li className={css.card}>
      <div className={css.cardHead}>
        <h2><Link to="/schedules/$id" params={{ id: schedule.id }}><bdi>{schedule.name}</bdi></Link></h2>
        <OnOff on={schedule.enabled} />
      </div>
      <p>{schedule.description}</p>
      <dl className={css.facts}>
        {typeof schedule.next_at === 'string' && (
          <><dt>next</dt><dd>{zonedTime(Date.parse(schedule.next_at), zone)} (<When at={schedule.next_at} past="due" />)</dd></>
        )}
        <dt>last</dt>
        <dd>
          {schedule.last ? <Last firing={schedule.last} /> : 'never'}
          {schedule.last && lengthOf(schedule.last)}
          {schedule.last?.error && <span className={css.failure} title={schedule.last.error}>{schedule.last.error}</span>}
        </dd>
        {schedule.queued > 0 && <><dt>queue</dt><dd>{schedule.queued} {schedule.queued === 1 ? 'firing waits' : 'firings wait'}</dd></>}
      </dl>
      {schedule.spark && schedule.spark.length > 1 && <Results states={schedule.spark} />}
      {schedule.problem && (
        <p className={css.problem}><TriangleAlert size={14} strokeWidth={1.75} aria-hidden="true" /> {schedule.problem}</p>
      )}
      {schedule.retry_under_way.slice(0, MOST_UNDER_WAY).map((retry) => (
        <UnderWay key={retry.task ?? retry.batch_id} retry={retry} onCancel={() => actions.cancelRetry.mutate(retry)} />
      ))}
      {hidden > 0 && <p><Link to="/schedules/$id" params={{ id: schedule.id }}>{hidden} more retries under way</Link></p>}
      <p className={css.cardFoot}>
        {mayRun && (
          <button type="button" className={buttons.labelled} disabled={actions.run.isPending} onClick={() => actions.run.mutate()} aria-label={`Run now: ${schedule.name}`}>
            <Play size={14} strokeWidth={1.75} aria-hidden="true" /> Run now
          </button>
        )}
        {mayEdit && <Link className={css.button ?? ''} to="/schedules/$id" params={{ id: schedule.id }} aria-label={`Edit: ${schedule.name}`}>Edit</Link>}
        {mayEdit && <span className={css.more}><More schedule={schedule} /></span>}
      </p>
    </li>
  );
}

export function OnOff({ on }: { readonly on: boolean }) {
  return <span className={on ? css.on : css.off}>{on ? '● on' : '○ off'}</span>;
}

/** ", took 3 min 12 s". */
function lengthOf({ started_at: from, ended_at: to }: NonNullable<ScheduleRow['last']>): string {
  return typeof from === 'string' && typeof to === 'string' ? `, took ${duration(Date.parse(to) - Date.parse(from))}` : '';
}

const OUTCOMES: Readonly<Record<Firing['outcome'], string>> = { fired: 'fired', skipped: 'skipped', missed: 'missed', queued: 'queued' };

/** How the last firing ended, and when it was. */
export function Last({ firing }: { readonly firing: Firing }) {
  const { status, outcome, fired_at: at, task } = firing;
  const state = typeof status === 'string' && isState(status) ? <Badge state={status} /> : OUTCOMES[outcome];
  return (
    <>
      {typeof task === 'string' ? <Link className={css.plain ?? ''} to="/tasks/$id" params={{ id: task }}>{state}</Link> : state}
      {' '}<When at={at} />
    </>
  );
}
