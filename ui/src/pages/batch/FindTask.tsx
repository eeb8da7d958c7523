// SPDX-License-Identifier: Apache-2.0
import { useState } from 'react';
import type { FormEvent } from 'react';
import { findTasks } from '../../graph/faces';
import type { DagTask } from '../../graph/read';
import { count } from '../../parts/when';
import css from './BatchPage.module.css';

interface Props {
  readonly tasks: readonly DagTask[];
  readonly selected: number;
  readonly onFind: (task: number) => void;
}

/** Enter goes to the first task that matches, and then from one to the next. */
export function FindTask({ tasks, selected, onFind }: Props) {
  const [text, setText] = useState('');
  const found = findTasks(tasks, text);
  const at = found.indexOf(selected);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const next = found[(at + 1) % Math.max(1, found.length)];
    if (next !== undefined) onFind(next);
  };
  return (
    <form className={css.find} role="search" aria-label="Tasks of the batch" onSubmit={submit}>
      <input type="search" aria-label="Find a task" placeholder="Find a task" value={text} onChange={(event) => setText(event.target.value)} />
      {text.trim() !== '' && <output className={css.muted}>{found.length === 0 ? 'none' : at < 0 ? count(found.length) : `${at + 1} of ${count(found.length)}`}</output>}
    </form>
  );
}
