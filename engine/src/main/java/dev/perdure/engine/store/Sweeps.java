// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.store;

import java.time.Duration;

/** Finds, in bounded batches, what needs a decision because time has passed. Changes nothing. */
public interface Sweeps {

  /** Held by nodes that are dead or gone, or by remote workers whose lease has run out. */
  Reading orphans(int limit);

  /**
   * Running, silent for longer than their timeout, and held by a remote worker or by nobody. A node
   * hears the handlers that it runs itself; when it is dead, they are lost, not silent.
   */
  Reading silent(int limit);

  /** Live, and past their deadline. */
  Reading pastDeadline(int limit);

  /**
   * Deletes batches that ended longer ago than this, oldest first, each whole and only when every
   * task of it has ended; at most this many tasks in one transaction, but at least one batch.
   *
   * @return how many tasks were deleted
   */
  int purge(Duration age, int limit);
}
