// SPDX-License-Identifier: Apache-2.0
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { Play, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { usePolling } from '../../api/live';
import { changeSchedule, createSchedule, schedule as scheduleQuery } from '../../api/schedules';
import type { Schedule } from '../../api/schedules';
import { useMay } from '../../api/session';
import { AdminOnly } from '../../parts/AdminOnly';
import buttons from '../../parts/Button.module.css';
import { Problem } from '../../parts/Problem';
import { done } from '../../parts/toast';
import { When } from '../../parts/When';
import { changesOf, draftOf, newDraft, newSchedule } from './draft';
import type { Draft } from './draft';
import { Firings } from './Firings';
import { More } from './More';
import { OnOff } from './ScheduleCard';
import { ScheduleFacts } from './ScheduleFacts';
import { ScheduleForm } from './ScheduleForm';
import css from './Schedules.module.css';
import { UnderWay } from './UnderWay';
import { useScheduleActions } from './useScheduleActions';

export function NewSchedulePage() {
  const navigate = useNavigate();
  const [initial] = useState(() => newDraft(Intl.DateTimeFormat().resolvedOptions().timeZone));
  const save = useMutation({
    mutationFn: (draft: Draft) => createSchedule(newSchedule(draft)),
    onSuccess: ({ id, name }) => {
      done(`${name} is saved.`);
      void navigate({ to: '/schedules/$id', params: { id } });
    },
  });
  return (
    <>
      <title>New schedule · Perdure</title>
      <p><Link to="/schedules">‹ Schedules</Link></p>
      <div className={css.heading}><h1>New schedule</h1></div>
      <AdminOnly what="create schedules">
        <ScheduleForm
          initial={initial} stored={false} busy={save.isPending} error={save.error} onSave={(draft) => save.mutate(draft)}
          onDiscard={() => void navigate({ to: '/schedules' })}
        />
      </AdminOnly>
    </>
  );
}

export function SchedulePage() {
  const { id } = useParams({ from: '/schedules/$id' });
  const query = useQuery({ ...scheduleQuery(id), refetchInterval: usePolling() });
  return (
    <>
      <p><Link to="/schedules">‹ Schedules</Link></p>
      {query.isError && <Problem error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <p className={css.muted}>Loading…</p>}
      {query.data && <Details schedule={query.data} />}
    </>
  );
}

function Details({ schedule }: { readonly schedule: Schedule }) {
  const actions = useScheduleActions(schedule);
  const navigate = useNavigate();
  const mayRun = useMay('operate');
  const mayEdit = useMay('admin');
  return (
    <>
      <title>{`${schedule.name} · Perdure`}</title>
      <div className={css.heading}>
        <h1><bdi>{schedule.name}</bdi></h1>
        <OnOff on={schedule.enabled} />
        {typeof schedule.next_at === 'string' && <p className={css.muted}>next <When at={schedule.next_at} past="due" /></p>}
        <span className={css.actions}>
          {mayRun && (
            <button type="button" className={buttons.labelled} disabled={actions.run.isPending} onClick={() => actions.run.mutate()}>
              <Play size={14} strokeWidth={1.75} aria-hidden="true" /> Run now
            </button>
          )}
          {mayEdit && <button type="button" disabled={actions.toggle.isPending} onClick={() => actions.toggle.mutate()}>{schedule.enabled ? 'Pause' : 'Resume'}</button>}
          {mayEdit && <More schedule={schedule} onDeleted={() => navigate({ to: '/schedules' })} />}
        </span>
      </div>
      {schedule.problem && (
        <p className={css.problem}><TriangleAlert size={14} strokeWidth={1.75} aria-hidden="true" /> {schedule.problem}</p>
      )}
      {schedule.retry_under_way.length > 0 && (
        <div className={css.underWays}>
          {schedule.retry_under_way.map((retry) => (
            <UnderWay key={retry.task ?? retry.batch_id} retry={retry} onCancel={() => actions.cancelRetry.mutate(retry)} />
          ))}
        </div>
      )}
      {mayEdit ? <Editor schedule={schedule} /> : <ScheduleFacts schedule={schedule} />}
      <Firings firings={schedule.last_firings ?? []} />
    </>
  );
}

/** Keeps what is being edited while fresh answers arrive; someone else's change is told, not taken. */
function Editor({ schedule }: { readonly schedule: Schedule }) {
  const queries = useQueryClient();
  const [base, setBase] = useState(schedule);
  const save = useMutation({
    mutationFn: async (draft: Draft) => {
      const changes = changesOf(draftOf(base), draft, base.version);
      return changes ? changeSchedule(schedule.id, changes) : null;
    },
    onSuccess: (saved) => {
      done(saved ? `${schedule.name} is saved.` : 'Nothing has changed.');
      if (saved) setBase({ ...base, ...saved });
      void queries.invalidateQueries({ queryKey: ['tasks'] });
    },
  });
  // Pausing and resuming changes the version and nothing else that the editor shows.
  const same = changesOf(draftOf(base), draftOf(schedule), 0) === null;
  if (same && schedule.version > base.version) setBase(schedule);
  return (
    <>
      {!same && schedule.version > base.version && (
        <p className={css.problem} role="status">
          <TriangleAlert size={14} strokeWidth={1.75} aria-hidden="true" /> Someone has changed this schedule.
          <button type="button" onClick={() => { save.reset(); setBase(schedule); }}>Show the change</button>
        </p>
      )}
      <ScheduleForm
        key={JSON.stringify(draftOf(base))} initial={draftOf(base)} stored policyWords={schedule.retry_description ?? null}
        busy={save.isPending} error={save.error} onSave={(draft) => save.mutate(draft)} onDiscard={() => save.reset()}
      />
    </>
  );
}
