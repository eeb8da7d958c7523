// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import java.time.Duration;
import java.util.UUID;

/** Who holds what is claimed. */
public sealed interface LeaseOwner {

  /** The word for the holder in tasks and attempts. */
  String worker();

  /** A node of the cluster: it holds its tasks while its own row is alive. */
  record NodeOwner(UUID node) implements LeaseOwner {
    @Override
    public String worker() {
      return node.toString();
    }
  }

  /** A worker elsewhere: it holds a task until the lease runs out, unless it is heard of. */
  record RemoteOwner(String worker, Duration lease) implements LeaseOwner {}
}
