// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import dev.perdure.engine.task.StoreException;
import java.time.Duration;

/**
 * Finds, in bounded batches, what needs a decision because time has passed; deletes what is old.
 */
public interface MaintenanceStore {

  /** Held by nodes that are dead or gone, or by remote workers whose lease has run out. */
  TaskSnapshot orphans(int limit);

  /**
   * Running, silent for longer than their timeout, and held by a remote worker or by nobody. A node
   * hears the handlers that it runs itself; when it is dead, they are lost, not silent.
   */
  TaskSnapshot inactive(int limit);

  /** Live, and past their deadline. */
  TaskSnapshot pastDeadline(int limit);

  /**
   * Deletes batches whose last task ended longer ago than this and of which nothing is left to be
   * delivered, with their deliveries, older ones first: as many as have no more than this many
   * tasks together, or so many tasks of one that is larger. What is left of that one goes with the
   * next calls, whoever makes them; until then none of it can be revived: {@link TaskWriter#apply}
   * throws {@link StoreException.ErrorKind#REFUSED}.
   *
   * @return how many tasks were deleted; 0 when there is nothing more to do
   */
  int purge(Duration age, int limit);

  /** Deletes so many keys of submissions that are free again; tells how many there were. */
  int purgeSubmissionKeys(int limit);
}
