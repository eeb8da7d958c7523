// SPDX-License-Identifier: Apache-2.0
import { Link } from '@tanstack/react-router';
import { CircleX, TriangleAlert } from 'lucide-react';
import { useRef, useState } from 'react';
import type { Overview } from '../../api/overview';
import { Spark } from '../../charts/Spark';
import { useRowKeys } from '../../parts/useRowKeys';
import { count } from '../../parts/when';
import css from './Kinds.module.css';
import { kindsOf } from './kinds';
import type { Kind } from './kinds';

const SHOWN = 10;

/** What each kind does, those in trouble first. */
export function Kinds({ overview }: { readonly overview: Overview }) {
  const [all, setAll] = useState(false);
  const kinds = kindsOf(overview);
  const table = useRef<HTMLTableElement>(null);
  useRowKeys(table);
  if (kinds.length === 0) return <p className={css.none}>No kinds yet. They appear here as soon as tasks run.</p>;
  return (
    <>
      <table ref={table} className={css.table}>
        <thead>
          <tr>
            <th scope="col">Kind</th>
            <th scope="col" className={css.spark}>Last 30 min</th>
            <th scope="col" className={css.number} title="Attempts that ended in the last 5 minutes">5 min</th>
            <th scope="col" className={css.number} title="The share of them that failed">Fail</th>
            <th scope="col" className={css.number} title="Waiting retries and due tasks">Waits</th>
            <th scope="col" className={css.trouble}><span className={css.hidden}>Trouble</span></th>
          </tr>
        </thead>
        <tbody>{kinds.slice(0, all ? kinds.length : SHOWN).map((kind) => <Row key={kind.kind} kind={kind} />)}</tbody>
      </table>
      {kinds.length > SHOWN && (
        <button type="button" className={css.more} onClick={() => setAll(!all)}>
          {all ? 'Show fewer' : `${count(kinds.length - SHOWN)} more`}
        </button>
      )}
    </>
  );
}

function Row({ kind }: { readonly kind: Kind }) {
  const { level, word, spark, attempts, failedShare, waiting, due } = kind;
  const Icon = level === 'trouble' ? CircleX : TriangleAlert;
  return (
    <tr>
      <th scope="row"><Link to="/tasks" search={{ kind: `=${kind.kind}` }} className={css.name ?? ''}><bdi>{kind.kind}</bdi></Link></th>
      <td className={css.spark}><Spark values={spark} height={20} label={sparkWords(spark)} /></td>
      <td className={css.number}>{count(attempts)}</td>
      <td className={css.number}>{failedShare}</td>
      <td className={css.number}>{count(waiting + due)}</td>
      <td className={css.trouble}>
        {level !== null && (
          <span className={css[level]}><Icon size={16} strokeWidth={1.75} aria-hidden="true" /> <span className={css.word}>{word}</span></span>
        )}
      </td>
    </tr>
  );
}

function sparkWords(values: readonly number[]): string {
  const total = values.reduce((sum, value) => sum + value, 0);
  return `${count(total)} attempts in 30 minutes, at most ${count(Math.max(0, ...values))} in one`;
}
