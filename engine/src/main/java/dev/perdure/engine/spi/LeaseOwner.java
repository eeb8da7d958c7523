// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import java.time.Duration;
import java.util.UUID;

/** The owner of a lease. */
public sealed interface LeaseOwner {

  /** The name of the owner in tasks and attempts. */
  String worker();

  /** A node of the cluster: it holds its tasks while its own row is alive. */
  record NodeOwner(UUID node) implements LeaseOwner {
    @Override
    public String worker() {
      return node.toString();
    }
  }

  /** A remote worker: it holds a task until the lease expires, unless it sends heartbeats. */
  record RemoteOwner(String worker, Duration lease) implements LeaseOwner {}
}
