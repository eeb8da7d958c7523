// SPDX-License-Identifier: Apache-2.0
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { bulkStep, ONE } from '../api/actions';
import type { BulkAction } from '../api/actions';
import {
  bulkTitle, NOTHING_YET, previewOfFilter, previewOfTasks, resultWords, runSteps, SPREAD_FROM, stepsOfTasks,
} from './bulk';
import type { BulkTarget, Preview, Progress, Spread } from './bulk';
import css from './BulkDialog.module.css';
import { BulkPreview } from './BulkPreview';
import buttons from './Button.module.css';
import { Dialog } from './Dialog';
import { Problem } from './Problem';
import { count } from './when';

interface Props {
  readonly action: BulkAction;
  /** All tasks that match a filter, or some tasks. */
  readonly target: BulkTarget;
  /** When retries become due, if somebody has chosen already. */
  readonly when?: Spread | 'now' | undefined;
  readonly open: boolean;
  readonly onClose: () => void;
  /** Called once when something was changed. */
  readonly onDone?: () => void;
}

/** Says what an action would do to many tasks, does it in steps, and says what was done. */
export function BulkDialog(props: Props) {
  // Closed, it forgets: the next time begins with a new dry run.
  return props.open ? <Bulk key={JSON.stringify([props.action, props.target])} {...props} /> : null;
}

type Phase =
  | { readonly name: 'asking' }
  | { readonly name: 'running' | 'stopping'; readonly progress: Progress }
  | { readonly name: 'ended'; readonly progress: Progress; readonly error: unknown };

function Bulk({ action, target, when: begin, onClose, onDone }: Props) {
  const queries = useQueryClient();
  const [phase, setPhase] = useState<Phase>({ name: 'asking' });
  const [chosen, setChosen] = useState<Spread | 'now' | null>(begin ?? null);
  const stop = useRef(false);
  const asking = phase.name === 'asking';
  const preview = usePreview(action, target, null, asking);
  const many = 'filter' in target && (preview.data?.changed ?? 0) >= SPREAD_FROM;
  const when = chosen ?? (many ? '10m' : 'now');
  const spread = action === 'retry' && 'filter' in target && when !== 'now' ? when : null;
  const spreadPreview = usePreview(action, target, spread, asking && spread !== null);
  const total = preview.data?.matched ?? 0;

  const run = async (from: Progress) => {
    stop.current = false;
    let progress = from;
    const report = (next: Progress) => {
      progress = next;
      setPhase({ name: stop.current ? 'stopping' : 'running', progress });
    };
    const step = 'tasks' in target
      ? stepsOfTasks(action, target.tasks, ONE[action])
      : (after: string | null) => bulkStep({ action, filter: target.filter, spread, after });
    setPhase({ name: 'running', progress });
    try {
      await runSteps(step, from, report, () => stop.current);
      setPhase({ name: 'ended', progress, error: null });
    } catch (error) {
      setPhase({ name: 'ended', progress, error });
    }
    onDone?.();
    await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'bulk' });
  };
  const close = () => {
    if (phase.name === 'asking' || phase.name === 'ended') return onClose();
    stop.current = true;
    setPhase({ ...phase, name: 'stopping' });
  };

  return (
    <Dialog
      title={bulkTitle(action, preview.data?.changed ?? null, preview.data?.more)} open onClose={close}
      closeWord={closeWord(phase)} actions={<Actions action={action} phase={phase} preview={preview.data} onRun={(from) => void run(from)} />}
    >
      {asking && preview.isPending && <p className={css.muted}>Counting…</p>}
      {asking && preview.isError && <Problem error={preview.error} onRetry={() => void preview.refetch()} />}
      {asking && preview.data && (
        <BulkPreview
          action={action} preview={preview.data} when={when} onWhen={'filter' in target ? setChosen : null}
          wave={spread === null ? preview.data.wave : spreadPreview.data?.wave ?? null} waveError={spread === null ? null : spreadPreview.error}
        />
      )}
      {!asking && <Result action={action} phase={phase} total={total} more={preview.data?.more ?? false} />}
    </Dialog>
  );
}

/** The keys do not begin with 'tasks': events must not repeat a dry run every second. */
function usePreview(action: BulkAction, target: BulkTarget, spread: Spread | null, enabled: boolean) {
  return useQuery({
    queryKey: ['bulk', action, target, spread],
    queryFn: async ({ signal }): Promise<Preview> => ('tasks' in target
      ? previewOfTasks(action, target.tasks)
      : previewOfFilter((after) => bulkStep({ action, filter: target.filter, spread, dryRun: true, after }, signal))),
    enabled, gcTime: 0, staleTime: Infinity, refetchOnWindowFocus: false, refetchOnReconnect: false,
  });
}

function closeWord(phase: Phase): string {
  if (phase.name === 'asking') return 'Do nothing';
  return phase.name === 'running' ? 'Stop' : phase.name === 'stopping' ? 'Stopping…' : 'Close';
}

interface ActionsProps {
  readonly action: BulkAction;
  readonly phase: Phase;
  readonly preview: Preview | undefined;
  readonly onRun: (from: Progress) => void;
}

function Actions({ action, phase, preview, onRun }: ActionsProps) {
  if (phase.name === 'ended' && (phase.error !== null || phase.progress.next !== null)) {
    return <button type="button" className={buttons.primary} onClick={() => onRun(phase.progress)}>Continue</button>;
  }
  if (phase.name !== 'asking') return null;
  const disabled = !preview || (preview.changed === 0 && !preview.more);
  return (
    <button
      type="button" className={action === 'cancel' ? buttons.danger : buttons.primary} disabled={disabled}
      onClick={() => onRun(NOTHING_YET)}
    >
      {bulkTitle(action, preview?.changed ?? null, preview?.more)}
    </button>
  );
}

interface ResultProps {
  readonly action: BulkAction;
  readonly phase: Exclude<Phase, { name: 'asking' }>;
  readonly total: number;
  readonly more: boolean;
}

function Result({ action, phase, total, more }: ResultProps) {
  const { changed, skipped, next } = phase.progress;
  const handled = changed + skipped;
  if (phase.name !== 'ended') {
    return (
      <div className={css.running}>
        <progress className={css.progress} max={Math.max(1, total)} value={Math.min(handled, total)} aria-label="Progress" />
        <p role="status">{count(handled)} of {count(total)}{more ? '+' : ''}</p>
        {phase.name === 'stopping' && <p className={css.muted}>Stops after this step. What is done stays done.</p>}
      </div>
    );
  }
  return (
    <div className={css.running}>
      {phase.error !== null && <Problem error={phase.error} />}
      <p role="status">{resultWords(action, phase.progress)}</p>
      {phase.error !== null && <p className={css.muted}>The step that failed may have been done in part. Continuing repeats that step; finished tasks are skipped.</p>}
      {phase.error === null && next !== null && <p className={css.muted}>Stopped. The rest was not touched.</p>}
      {phase.error === null && <p className={css.muted}>The audit log keeps this.</p>}
    </div>
  );
}
