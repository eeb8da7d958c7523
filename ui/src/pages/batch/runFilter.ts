// SPDX-License-Identifier: Apache-2.0
import type { BatchDetails } from '../../api/batches';
import type { FilterParams } from '../../parts/filters';

/**
 * The tasks of one run of a batch. The list cannot be asked for a run, but the tasks of a run are
 * created after the run before it has ended.
 */
export function runFilter({ batch_id, run: last, runs }: Pick<BatchDetails, 'batch_id' | 'run' | 'runs'>, run: number): FilterParams {
  const endOf = (number: number) => runs.find((one) => one.run === number)?.ended_at ?? null;
  const [before, own] = [endOf(run - 1), endOf(run)];
  return {
    batch_id,
    ...(before === null ? {} : { created_after: before }),
    ...(run === last || own === null ? {} : { created_before: own }),
  };
}

/** The filters, which can make the time of the run shorter but not longer. */
export function withinRun(filters: FilterParams, batch: Pick<BatchDetails, 'batch_id' | 'run' | 'runs'>, run: number): FilterParams {
  const own = runFilter(batch, run);
  const after = [own.created_after, filters.created_after].filter((one) => one !== undefined).sort(byTime).at(-1);
  const [before] = [own.created_before, filters.created_before].filter((one) => one !== undefined).sort(byTime);
  return {
    ...filters, ...own,
    ...(after === undefined ? {} : { created_after: after }), ...(before === undefined ? {} : { created_before: before }),
  };
}

function byTime(a: string, b: string): number {
  return Date.parse(a) - Date.parse(b);
}
