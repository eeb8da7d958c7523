// SPDX-License-Identifier: Apache-2.0
import { ChevronDown, ChevronRight, RotateCw } from 'lucide-react';
import { useId, useState } from 'react';
import type { ErrorGroup, GroupBy, GroupFilter } from '../../api/dead';
import { serverClock } from '../../api/clock';
import { useMay } from '../../api/session';
import { Spark } from '../../charts/Spark';
import { BulkDialog } from '../../parts/BulkDialog';
import buttons from '../../parts/Button.module.css';
import { done } from '../../parts/toast';
import { exact } from '../../parts/when';
import css from './DeadPage.module.css';
import { dismiss } from './dismissed';
import { groupFilter, groupTitle, kindWords, reasonWords, spanWords, taskCount } from './groups';
import { Newest } from './Newest';
import { beginOf } from './search';
import type { Since } from './search';

interface Props {
  readonly id: string;
  readonly group: ErrorGroup;
  readonly gone: boolean;
  readonly by: GroupBy;
  readonly since: Since;
}

/** Tasks that failed alike. */
export function Group({ id, group, gone, by, since }: Props) {
  const [open, setOpen] = useState(false);
  // Kept while the dialog is open: the time of the page moves on, what was previewed does not.
  const [asked, setAsked] = useState<GroupFilter | null>(null);
  const mayAct = useMay('operate');
  const details = useId();
  const title = groupTitle(group, by);
  const filter = groupFilter(group, by, beginOf(since, serverClock.now()));
  const [first, last] = [Date.parse(group.first_at), Date.parse(group.last_at)];
  const facts = [...(by === 'kind' ? [`newest: ${group.title}`] : kindWords(group.kinds)), ...reasonWords(group.give_up_reasons)];
  const Chevron = open ? ChevronDown : ChevronRight;
  const hide = () => {
    dismiss(id, last);
    done('Dismissed until another task fails like this.');
  };
  return (
    <li className={css.group} data-row>
      <div className={css.head}>
        <h2 className={css.title}><bdi>{title}</bdi></h2>
        <p className={css.count}>{gone ? 'none left' : taskCount(group)}</p>
        <p className={css.facts}>
          <bdi>{facts.join(' · ')}</bdi> · <span title={`${exact(first)} – ${exact(last)}`}>{spanWords(first, last, serverClock.now())}</span>
        </p>
        <div className={css.spark}><Spark values={group.spark} height={24} label={`${taskCount(group)} failed, over time`} /></div>
        <div className={css.actions}>
          <button
            type="button" className={`${buttons.icon} ${css.last}`} aria-expanded={open} aria-controls={details}
            aria-label={`Newest tasks of ${title}`} onClick={() => setOpen(!open)}
          >
            <Chevron size={16} strokeWidth={1.75} aria-hidden="true" />
          </button>
          <button type="button" className={buttons.quiet} onClick={hide} aria-label={`Dismiss ${title}`}>Dismiss</button>
          {mayAct && filter && (
            <button type="button" className={buttons.labelled} disabled={gone} onClick={() => setAsked(filter)} aria-label={`Revive ${title}…`} aria-keyshortcuts="r" title="Revive… (r)">
              <RotateCw size={14} strokeWidth={1.75} aria-hidden="true" /> Revive…
            </button>
          )}
        </div>
      </div>
      {asked && <BulkDialog action="retry" target={{ filter: { status: 'Failure', ...asked } }} open onClose={() => setAsked(null)} />}
      <div id={details} hidden={!open}>{open && <Newest group={group} filter={filter} />}</div>
    </li>
  );
}
