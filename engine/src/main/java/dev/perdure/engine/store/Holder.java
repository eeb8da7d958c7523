// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.store;

import java.time.Duration;
import java.util.UUID;

/** Who holds what is claimed. */
public sealed interface Holder {

  /** The word for the holder in tasks and attempts. */
  String worker();

  /** A node of the cluster: it holds its tasks while its own row is alive. */
  record OfNode(UUID node) implements Holder {
    @Override
    public String worker() {
      return node.toString();
    }
  }

  /** A worker elsewhere: it holds a task until the lease runs out, unless it is heard of. */
  record OfWorker(String worker, Duration lease) implements Holder {}
}
