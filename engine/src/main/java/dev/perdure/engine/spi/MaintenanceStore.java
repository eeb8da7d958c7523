// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import dev.perdure.engine.task.StoreException;
import java.time.Duration;

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
}
