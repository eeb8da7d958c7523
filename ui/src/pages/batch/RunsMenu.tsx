// SPDX-License-Identifier: Apache-2.0
import { Menu } from '@base-ui/react/menu';
import { ChevronDown } from 'lucide-react';
import type { BatchDetails, BatchRun } from '../../api/batches';
import { Badge } from '../../parts/Badge';
import type { State } from '../../parts/states';
import { When } from '../../parts/When';
import { duration } from '../../parts/when';
import css from './Ask.module.css';

interface Props {
  readonly batch: BatchDetails;
  readonly run: number;
  readonly onChoose: (run: number) => void;
}

/** The runs, newest first: state, start, length and first failure of each. */
export function RunsMenu({ batch, run, onChoose }: Props) {
  const total = batch.run + 1;
  if (total === 1) return null;
  return (
    <Menu.Root>
      <Menu.Trigger className={css.trigger ?? ''}>
        run {run + 1} of {total} <ChevronDown size={14} strokeWidth={1.75} aria-hidden="true" />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner sideOffset={4} align="start">
          <Menu.Popup className={css.menu ?? ''}>
            <Menu.RadioGroup value={run} onValueChange={(next) => onChoose(Number(next))}>
              {batch.runs.toReversed().map((one) => (
                <Menu.RadioItem key={one.run} value={one.run} closeOnClick className={css.item ?? ''}>
                  <span>run {one.run + 1}</span>
                  <Badge state={stateOf(one)} />
                  <span><When at={one.started_at} />{lengthOf(one)}</span>
                  {one.failure !== null && <span className={css.failure}>{one.failure}</span>}
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

function stateOf({ outcome }: BatchRun): State {
  if (outcome === null) return 'Running';
  return outcome === 'success' ? 'Success' : outcome === 'failure' ? 'Failure' : 'Canceled';
}

function lengthOf({ started_at, ended_at }: BatchRun): string {
  return ended_at === null ? '' : ` · took ${duration(Date.parse(ended_at) - Date.parse(started_at))}`;
}
