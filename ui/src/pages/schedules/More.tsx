// SPDX-License-Identifier: Apache-2.0
import { Ellipsis, Pause, Play, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { ScheduleRow } from '../../api/schedules';
import buttons from '../../parts/Button.module.css';
import { Confirm } from '../../parts/Confirm';
import { Menu } from '../../parts/Menu';
import { useScheduleActions } from './useScheduleActions';

const ICON = { size: 14, strokeWidth: 1.75, 'aria-hidden': true } as const;

interface Props {
  readonly schedule: Pick<ScheduleRow, 'id' | 'name' | 'enabled'>;
  readonly onDeleted?: () => Promise<void>;
}

/** Pause, resume and delete. */
export function More({ schedule, onDeleted }: Props) {
  const actions = useScheduleActions(schedule, onDeleted);
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Menu
        className={buttons.icon} label={`More actions for ${schedule.name}`}
        items={[
          schedule.enabled
            ? { word: 'Pause', icon: <Pause {...ICON} />, onSelect: () => actions.toggle.mutate() }
            : { word: 'Resume', icon: <Play {...ICON} />, onSelect: () => actions.toggle.mutate() },
          { word: 'Delete…', icon: <Trash2 {...ICON} />, danger: true, onSelect: () => setAsking(true) },
        ]}
      >
        <Ellipsis size={16} strokeWidth={1.75} aria-hidden="true" />
      </Menu>
      <Confirm
        title={`Delete ${schedule.name}?`} action="Delete the schedule" open={asking} onClose={() => setAsking(false)}
        onConfirm={() => actions.remove.mutate()}
      >
        <p>It stops firing. Its live tasks are canceled, including waiting retries. Ended tasks are kept.</p>
      </Confirm>
    </>
  );
}
