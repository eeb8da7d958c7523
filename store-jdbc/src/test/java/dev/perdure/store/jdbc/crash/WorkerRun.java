// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.crash;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A worker process from its start to its end.
 *
 * @param killedAt just before it was killed; null when it ended by itself
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
