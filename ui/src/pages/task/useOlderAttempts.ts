// SPDX-License-Identifier: Apache-2.0
import { useInfiniteQuery } from '@tanstack/react-query';
import type { Attempt, TaskDetails } from '../../api/client';
import { olderAttempts } from '../../api/task';

export interface OlderAttempts {
  /** Those that were asked for, newest first. */
  readonly loaded: readonly Attempt[];
  readonly more: boolean;
  readonly error: unknown;
  /** Null while it loads. */
  readonly load: (() => void) | null;
}

/** Attempts older than the newest ones that the task itself shows. The list and the timeline share them. */
export function useOlderAttempts({ id, attempts, attempts_total: total }: Pick<TaskDetails, 'id' | 'attempts' | 'attempts_total'>): OlderAttempts {
  const older = useInfiniteQuery(olderAttempts(id, attempts[0]?.epoch ?? 0));
  const load = () => void (older.data ? older.fetchNextPage() : older.refetch());
  return {
    loaded: older.data?.pages.flat() ?? [],
    more: older.data ? older.hasNextPage : total > attempts.length,
    error: older.error,
    load: older.isFetching ? null : load,
  };
}
