// SPDX-License-Identifier: Apache-2.0
import { useState } from 'react';
import { useMay } from '../../api/session';
import { spanWords } from '../../charts/wave';
import type { Span } from '../../charts/wave';
import { SPREADS } from '../../parts/bulk';
import type { Spread } from '../../parts/bulk';
import { BulkDialog } from '../../parts/BulkDialog';
import { Select } from '../../parts/Select';
import { count } from '../../parts/when';
import css from './RetriesPage.module.css';
import { spanFilter } from './search';
import type { RetrySearch } from './search';

interface Props {
  readonly span: Span;
  readonly search: RetrySearch;
  readonly stepMs: number;
  /** How many retries the part holds; null if that is not known yet. */
  readonly tasks: number | null;
  readonly estimated: boolean;
  readonly onShowAll: () => void;
}

/** The part of the wave that is chosen, and what can be done with its retries. */
export function Chosen({ span, search, stepMs, tasks, estimated, onShowAll }: Props) {
  const mayAct = useMay('operate');
  const [spread, setSpread] = useState<Spread>('30m');
  const [when, setWhen] = useState<Spread | 'now' | null>(null);
  const these = tasks === null ? 'these' : `these ${estimated ? 'about ' : ''}${count(tasks)}`;
  const filter = spanFilter(search, span);
  return (
    <div className={css.chosen}>
      <span>Due from {spanWords(span, stepMs)}</span>
      <button type="button" onClick={onShowAll}>Show all</button>
      {mayAct && tasks !== 0 && filter && (
        <span className={css.chosenActions} role="group" aria-label="Retries of this part">
          <button type="button" onClick={() => setWhen(spread)}>Spread {these} over</button>
          <Select label="Spread over" quiet value={spread} options={SPREADS} onChange={setSpread} />
          <button type="button" onClick={() => setWhen('now')}>Retry these now…</button>
        </span>
      )}
      {mayAct && tasks !== 0 && !filter && <span className={css.muted}>To retry all of this part, show all strategies.</span>}
      {when !== null && filter && <BulkDialog action="retry" target={{ filter }} when={when} open onClose={() => setWhen(null)} />}
    </div>
  );
}
