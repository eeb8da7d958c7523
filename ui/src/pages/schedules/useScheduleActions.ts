// SPDX-License-Identifier: Apache-2.0
import { cancelRetry, changeSchedule, deleteSchedule, runSchedule } from '../../api/schedules';
import type { RetryUnderWay, ScheduleRow } from '../../api/schedules';
import { useAction } from '../../parts/useAction';
import { count } from '../../parts/when';

type Named = Pick<ScheduleRow, 'id' | 'name' | 'enabled'>;

/** What the buttons of a schedule do. `onDeleted` leaves its page before everything is asked for again. */
export function useScheduleActions(schedule: Named, onDeleted?: () => Promise<void>) {
  const { id, name, enabled } = schedule;
  return {
    run: useAction((_: void) => runSchedule(id), () => `${name} runs now.`),
    toggle: useAction((_: void) => changeSchedule(id, { enabled: !enabled }), () => `${name} is ${enabled ? 'paused' : 'on again'}.`),
    remove: useAction(
      async (_: void) => {
        const answer = await deleteSchedule(id);
        await onDeleted?.();
        return answer;
      },
      (_, { canceled }) => `${name} is deleted.${canceledWords(canceled)}`,
    ),
    cancelRetry: useAction(
      (retry: RetryUnderWay) => cancelRetry(id, retry),
      (_, found) => (found ? 'The retry is canceled. The schedule keeps running.' : 'There was no retry left to cancel.'),
    ),
  };
}

function canceledWords(canceled: number): string {
  if (canceled === 0) return '';
  return canceled === 1 ? ' One live task was canceled.' : ` ${count(canceled)} live tasks were canceled.`;
}
