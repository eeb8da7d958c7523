// SPDX-License-Identifier: Apache-2.0
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { redeliver } from '../../api/dead';
import { redeliverStep } from '../../api/deliveries';
import type { DeliveryFilter } from '../../api/deliveries';
import { NOTHING_YET, runSteps, SPREAD_FROM } from '../../parts/bulk';
import type { Progress, Spread } from '../../parts/bulk';
import css from '../../parts/BulkDialog.module.css';
import { WhenChoice } from '../../parts/BulkPreview';
import buttons from '../../parts/Button.module.css';
import { Dialog } from '../../parts/Dialog';
import { Problem } from '../../parts/Problem';
import { count } from '../../parts/when';
import { deliveryCount, stepsOfIds } from './deliveryWords';

export type RedeliverTarget = { readonly filter: DeliveryFilter } | { readonly ids: readonly string[] };

interface Props {
  readonly target: RedeliverTarget;
  readonly onClose: () => void;
}

type Phase =
  | { readonly name: 'asking' }
  | { readonly name: 'running' | 'stopping'; readonly progress: Progress }
  | { readonly name: 'ended'; readonly progress: Progress; readonly error: unknown };

/** Says how many deliveries would be sent again, and sends them in steps. */
export function RedeliverDialog({ target, onClose }: Props) {
  const queries = useQueryClient();
  const [phase, setPhase] = useState<Phase>({ name: 'asking' });
  const [chosen, setChosen] = useState<Spread | 'now' | null>(null);
  const stop = useRef(false);
  const preview = useQuery({
    queryKey: ['bulk', 'redeliver', target],
    queryFn: async ({ signal }) => ('ids' in target
      ? { matched: target.ids.length, next: null }
      : redeliverStep({ filter: target.filter, dryRun: true }, signal)),
    enabled: phase.name === 'asking', gcTime: 0, staleTime: Infinity, refetchOnWindowFocus: false, refetchOnReconnect: false,
  });
  const matched = preview.data?.matched ?? 0;
  const more = preview.data?.next != null;
  const words = preview.data ? deliveryCount(matched, more) : 'deliveries';
  const when = chosen ?? ('filter' in target && (more || matched >= SPREAD_FROM) ? '10m' : 'now');

  const run = async (from: Progress) => {
    stop.current = false;
    let progress = from;
    const report = (next: Progress) => {
      progress = next;
      setPhase({ name: stop.current ? 'stopping' : 'running', progress });
    };
    const spread = when === 'now' ? null : when;
    const step = 'ids' in target
      ? stepsOfIds(target.ids, redeliver)
      : (after: string | null) => redeliverStep({ filter: target.filter, spread, after });
    setPhase({ name: 'running', progress });
    try {
      await runSteps(step, from, report, () => stop.current);
      setPhase({ name: 'ended', progress, error: null });
    } catch (error) {
      setPhase({ name: 'ended', progress, error });
    }
    await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'bulk' });
  };
  const close = () => {
    if (phase.name === 'asking' || phase.name === 'ended') return onClose();
    stop.current = true;
    setPhase({ ...phase, name: 'stopping' });
  };
  const unfinished = phase.name === 'ended' && (phase.error !== null || phase.progress.next !== null);
  const closeWord = { asking: 'Do nothing', running: 'Stop', stopping: 'Stopping…', ended: 'Close' }[phase.name];
  const button = phase.name === 'asking'
    ? <button type="button" className={buttons.primary} disabled={matched === 0 && !more} onClick={() => void run(NOTHING_YET)}>Redeliver {words}</button>
    : unfinished && <button type="button" className={buttons.primary} onClick={() => void run(phase.progress)}>Continue</button>;
  return (
    <Dialog title={`Redeliver ${words}`} open onClose={close} closeWord={closeWord} actions={button}>
      {phase.name === 'asking' && preview.isPending && <p className={css.muted}>Counting…</p>}
      {phase.name === 'asking' && preview.isError && <Problem error={preview.error} onRetry={() => void preview.refetch()} />}
      {phase.name === 'asking' && preview.data && (
        <>
          <p>{matched === 0 && !more ? 'Nothing to send: no delivery of this group is given up any more.' : `${deliveryCount(matched, more)} ${matched === 1 && !more ? 'is' : 'are'} sent again, each with the content that it had.`}</p>
          {'filter' in target && matched > 1 && <WhenChoice tasks={matched} when={when} onWhen={setChosen} />}
        </>
      )}
      {phase.name !== 'asking' && <Result phase={phase} total={matched} more={more} />}
    </Dialog>
  );
}

function Result({ phase, total, more }: { readonly phase: Exclude<Phase, { name: 'asking' }>; readonly total: number; readonly more: boolean }) {
  const { changed, skipped, next } = phase.progress;
  const handled = changed + skipped;
  if (phase.name !== 'ended') {
    return (
      <div className={css.running}>
        <progress className={css.progress} max={Math.max(1, total)} value={Math.min(handled, total)} aria-label="Progress" />
        <p role="status">{count(handled)} of {count(total)}{more ? '+' : ''}</p>
      </div>
    );
  }
  return (
    <div className={css.running}>
      {phase.error !== null && <Problem error={phase.error} />}
      <p role="status">{deliveryCount(changed, false)} will be sent again{skipped > 0 ? `, ${count(skipped)} left alone` : ''}.</p>
      {phase.error === null && next !== null && <p className={css.muted}>Stopped. The rest was not touched.</p>}
    </div>
  );
}
