// SPDX-License-Identifier: Apache-2.0
import { Link } from '@tanstack/react-router';
import { Ban, RotateCw } from 'lucide-react';
import { useRef, useState } from 'react';
import type { TaskRow } from '../../api/client';
import { useMay } from '../../api/session';
import { cancelTask, retryNow } from '../../api/retries';
import { attemptWords, shortId } from '../../parts/attempt';
import buttons from '../../parts/Button.module.css';
import { Confirm } from '../../parts/Confirm';
import { useAction } from '../../parts/useAction';
import { useRowKeys } from '../../parts/useRowKeys';
import { When } from '../../parts/When';
import css from './RetryTable.module.css';

interface Props {
  readonly rows: readonly { readonly row: TaskRow; readonly gone: boolean }[];
}

/** Waiting retries, the next one first. */
export function RetryTable({ rows }: Props) {
  const table = useRef<HTMLTableElement>(null);
  const mayAct = useMay('operate');
  useRowKeys(table, mayAct ? { r: 'Retry the focused row now', c: 'Cancel the focused row, after asking' } : {});
  const [asked, setAsked] = useState<TaskRow | null>(null);
  const [asking, setAsking] = useState(false);
  const retry = useAction((row: TaskRow) => retryNow(row.id), (row) => `${nameOf(row)} is due now.`);
  const cancel = useAction((row: TaskRow) => cancelTask(row.id), (row) => `${nameOf(row)} is canceled.`);
  return (
    <div className={css.scroll}>
      <table ref={table} className={css.table}>
        <thead>
          <tr>
            <th scope="col" className={css.when}>When</th>
            <th scope="col" className={css.kind}>Kind</th>
            <th scope="col" className={css.name}>Name</th>
            <th scope="col" className={css.attempt}>Attempt</th>
            <th scope="col" className={css.failure}>Failure</th>
            {mayAct && <th scope="col" className={css.actions}><span className={css.hidden}>Actions</span></th>}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ row, gone }) => (
            <Row
              key={row.id} row={row} gone={gone} mayAct={mayAct} onRetry={() => retry.mutate(row)}
              onCancel={() => { setAsked(row); setAsking(true); }}
            />
          ))}
        </tbody>
      </table>
      <Confirm
        title="Cancel the retry?" action="Cancel the task" open={asking}
        onClose={() => setAsking(false)} onConfirm={() => asked && cancel.mutate(asked)}
      >
        <p>{asked && <bdi>{asked.kind} · {nameOf(asked)}</bdi>} is not tried again. Tasks that depend on its success do not run.</p>
      </Confirm>
    </div>
  );
}

interface RowProps {
  readonly row: TaskRow;
  readonly gone: boolean;
  readonly mayAct: boolean;
  readonly onRetry: () => void;
  readonly onCancel: () => void;
}

function Row({ row, gone, mayAct, onRetry, onCancel }: RowProps) {
  const failure = failureOf(row);
  return (
    <tr className={gone ? css.gone : undefined} title={gone ? 'No longer waits for a retry' : undefined}>
      <td>{typeof row.next_retry_at === 'string' && <When at={row.next_retry_at} past={gone ? 'started' : 'due'} />}</td>
      <td className={css.kind} title={row.kind}>{row.kind}</td>
      <td className={css.name} title={row.name ?? row.id}>
        <Link to="/tasks/$id" params={{ id: row.id }} className={css.link ?? ''}>{nameOf(row)}</Link>
        <span className={css.below}>{row.kind} · {failure}</span>
      </td>
      <td className={css.attempt}><Attempt row={row} /></td>
      <td className={css.failure} title={failure}>{failure}</td>
      {mayAct && (
        <td className={css.buttons}>
          {row.allowed.includes('retry_now') && (
            <button type="button" className={buttons.icon} disabled={gone} onClick={onRetry} aria-keyshortcuts="r" aria-label={`Retry ${nameOf(row)} now`} title="Retry now (r)">
              <RotateCw size={16} strokeWidth={1.75} aria-hidden="true" />
            </button>
          )}
          {row.allowed.includes('cancel') && (
            <button type="button" className={buttons.icon} disabled={gone} onClick={onCancel} aria-keyshortcuts="c" aria-label={`Cancel ${nameOf(row)}`} title="Cancel… (c)">
              <Ban size={16} strokeWidth={1.75} aria-hidden="true" />
            </button>
          )}
        </td>
      )}
    </tr>
  );
}

/** The position on a ladder is a chip, so that it is seen at once in a long list. */
function Attempt({ row }: { readonly row: TaskRow }) {
  const words = `attempt ${attemptWords(row)}`;
  return row.retry_canonical?.backoff.type === 'ladder' ? <span className={css.ladder}>{words}</span> : words;
}

function nameOf(row: TaskRow): string {
  return row.name ?? row.local_id ?? shortId(row.id);
}

/** A code is what the worker chose to say; the reason explains it. */
function failureOf({ failure_code: code, failure_reason: reason, failure_kind: kind }: TaskRow): string {
  return [code, reason].filter(Boolean).join(': ') || (kind ?? '');
}
