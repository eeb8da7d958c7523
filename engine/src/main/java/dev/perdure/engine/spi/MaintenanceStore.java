// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import dev.perdure.engine.task.StoreException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Finds tasks that need a decision because time has passed, and deletes old ones, in bounded
 * batches.
 */
public interface MaintenanceStore {

  /**
   * Leased tasks whose owner is gone: a node that is dead or has left, or a remote worker whose
   * lease expired.
   */
  TaskSnapshot orphans(int limit);

  /**
   * Running tasks without a heartbeat for their timeout that belong to a remote worker or to no
   * owner. A node watches the handlers that it runs itself; when the node is dead, its tasks are
   * lost rather than inactive.
   */
  TaskSnapshot inactive(int limit);

  /** Live tasks whose deadline has passed. */
  TaskSnapshot pastDeadline(int limit);

  /**
   * Deletes old batches with their deliveries, oldest first: batches whose last task ended longer
   * ago than {@code age} and that have no pending deliveries. One call deletes as many batches as
   * have {@code limit} tasks together, or {@code limit} tasks of one larger batch. The rest of a
   * larger batch goes with later calls, on any node; until then none of its tasks can be revived:
   * {@link TaskWriter#apply} throws {@link StoreException.ErrorKind#REFUSED}.
   *
   * @return the number of deleted tasks; 0 when nothing is left to delete
   */
  int purge(Duration age, int limit);

  /** Deletes up to {@code limit} expired submission keys and returns how many. */
  int purgeSubmissionKeys(int limit);

  /** How long a limit that no task uses or waits for is kept. */
  Duration LIMIT_RETENTION = Duration.ofDays(1);

  /** Maximum number of events among which one check looks for old ones. */
  int MAX_OLD_EVENTS = 10_000;

  /**
   * Checks limits in the order of their keys: counts the tasks in use again, and deletes limits
   * that no task has used for {@link #LIMIT_RETENTION}. A limit that a claim is looking at is
   * skipped. Also deletes events of that age whose limit does not exist and has no waiting tasks.
   *
   * @param after only keys that come after this one; empty to begin
   * @param limit maximum number of limits to check
   */
  LimitSweep sweepLimits(String after, int limit);

  /**
   * What a check of limits did.
   *
   * @param last the last key that was checked; null when there are no more
   * @param corrected how many limits had another number in use than tasks that run
   * @param deleted how many limits were deleted
   */
  record LimitSweep(@Nullable String last, int corrected, int deleted) {

    /** Both together; the next check continues after the smaller key. */
    public LimitSweep plus(LimitSweep other) {
      return new LimitSweep(
          smaller(last, other.last()), corrected + other.corrected(), deleted + other.deleted());
    }

    private static @Nullable String smaller(@Nullable String one, @Nullable String other) {
      if (one == null || other == null) {
        return one == null ? other : one;
      }
      return one.compareTo(other) <= 0 ? one : other;
    }
  }
}
