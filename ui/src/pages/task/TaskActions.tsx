// SPDX-License-Identifier: Apache-2.0
import { Ban, CircleCheck, Clock, Ellipsis, Pause, Play, RotateCcw, RotateCw } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { useState } from 'react';
import type { TaskDetails } from '../../api/client';
import { serverClock } from '../../api/clock';
import { cancelTask, pauseTask, resolveTask, resumeTask, retryTask } from '../../api/actions';
import { formatJson } from '../../api/json';
import { clockOf } from '../../parts/when';
import { shortId } from '../../parts/attempt';
import buttons from '../../parts/Button.module.css';
import { Confirm } from '../../parts/Confirm';
import { Menu } from '../../parts/Menu';
import { copyText } from '../../parts/toast';
import { useAction } from '../../parts/useAction';
import { useKeys } from '../../shell/useKeys';
import { curlOf } from './curl';
import { Resolve } from './Resolve';
import { RetryAt } from './RetryAt';
import css from './TaskPage.module.css';

type Action = TaskDetails['allowed'][number];

const BUTTONS: readonly { readonly action: Action; readonly word: string; readonly icon: LucideIcon; readonly key?: string }[] = [
  { action: 'retry_now', word: 'Retry now', icon: RotateCw, key: 'r' },
  { action: 'retry_at', word: 'Retry at…', icon: Clock },
  { action: 'revive', word: 'Revive…', icon: RotateCcw, key: 'r' },
  { action: 'pause', word: 'Pause', icon: Pause, key: 'p' },
  { action: 'resume', word: 'Resume', icon: Play, key: 'p' },
  { action: 'cancel', word: 'Cancel…', icon: Ban, key: 'c' },
  { action: 'resolve', word: 'Resolve…', icon: CircleCheck },
];

type Asking = 'retry_at' | 'revive' | 'cancel' | 'resolve';

/** A button for each action that the server allows now. What ends or repeats work asks first. */
export function TaskActions({ task }: { readonly task: TaskDetails }) {
  const [asking, setAsking] = useState<Asking | null>(null);
  const name = task.name ?? task.local_id ?? shortId(task.id);
  const retry = useAction((at: string | undefined) => retryTask(task.id, at), (at) => (at ? `The retry of ${name} is now due at ${clockOf(Date.parse(at), { now: serverClock.now() })}.` : `${name} is due now.`));
  const revive = useAction(() => retryTask(task.id), () => `${name} runs again.`);
  const pause = useAction(() => pauseTask(task.id), () => `${name} is paused.`);
  const resume = useAction(() => resumeTask(task.id), () => `${name} is resumed.`);
  const cancel = useAction(() => cancelTask(task.id), () => `${name} is canceled.`);
  const resolve = useAction((reason: string) => resolveTask(task.id, reason), () => `${name} counts as succeeded.`);
  const busy = [retry, revive, pause, resume, cancel, resolve].some((one) => one.isPending);
  const act = (action: Action) => {
    if (action === 'retry_now') retry.mutate(undefined);
    else if (action === 'pause') pause.mutate(undefined);
    else if (action === 'resume') resume.mutate(undefined);
    else if (action !== 'settle') setAsking(action);
  };
  const shown = BUTTONS.filter(({ action }) => task.allowed.includes(action));
  useKeys(shown.flatMap(({ action, word, key }) => (key ? [{ key, words: word.replace('…', ''), run: () => busy || act(action) }] : [])));
  const close = () => setAsking(null);
  return (
    <div className={css.actions}>
      {shown.map(({ action, word, icon: Icon, key }) => (
        <button
          key={action} type="button" className={action === 'cancel' ? buttons.danger : buttons.labelled} disabled={busy}
          onClick={() => act(action)} aria-keyshortcuts={key} title={key && `${word} (${key})`}
        >
          <Icon size={14} strokeWidth={1.75} aria-hidden="true" /> {word}
        </button>
      ))}
      <Menu
        label="More" className={buttons.icon}
        items={[
          { word: 'Copy id', onSelect: () => void copyText(task.id) },
          { word: 'Copy as curl', onSelect: () => void copyText(curlOf(location.origin, task.id)) },
          { word: 'Copy as JSON', onSelect: () => void copyText(formatJson(task)) },
        ]}
      >
        <Ellipsis size={16} strokeWidth={1.75} aria-hidden="true" />
      </Menu>
      <Confirm title="Revive the task?" action="Run it again" keep="Leave it" open={asking === 'revive'} onClose={close} onConfirm={() => revive.mutate(undefined)}>
        <p><bdi>{task.kind} · {name}</bdi> runs again at once, and its retry policy starts from the beginning.</p>
        <p>Tasks that failed only because of it wait for it again.</p>
      </Confirm>
      <Confirm title="Cancel the task?" action="Cancel the task" open={asking === 'cancel'} onClose={close} onConfirm={() => cancel.mutate(undefined)}>
        <p><bdi>{task.kind} · {name}</bdi> is not tried again.{task.status === 'Running' ? ' The attempt that runs now is told to stop.' : ''}</p>
        {task.needed_by > 0 && <p>Tasks that depend on its success do not run.</p>}
      </Confirm>
      {asking === 'retry_at' && <RetryAt task={task} onClose={close} onMove={(at) => retry.mutate(at)} />}
      {asking === 'resolve' && <Resolve name={name} onClose={close} onResolve={(reason) => resolve.mutate(reason)} />}
    </div>
  );
}
