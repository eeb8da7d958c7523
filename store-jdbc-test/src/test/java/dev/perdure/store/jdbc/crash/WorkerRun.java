// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.crash;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A run of a worker process.
 *
 * @param killedAt just before it was killed, or null if it exited by itself
 */
record WorkerRun(String name, @Nullable Instant killedAt) {

  boolean killed() {
    return killedAt != null;
  }

  @Override
  public String toString() {
    return killed() ? name + " (killed " + killedAt + ")" : name;
  }
}
