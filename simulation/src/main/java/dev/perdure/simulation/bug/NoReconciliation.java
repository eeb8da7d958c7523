// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation.bug;

import dev.perdure.engine.spi.ClaimRequest;
import dev.perdure.engine.spi.NodeRegistry;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.task.ClaimResult;
import dev.perdure.engine.task.LeaseKey;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Tells a node only of the leases whose claims were answered. */
final class NoReconciliation extends ForwardingStore {

  private final Set<LeaseKey> answered = new HashSet<>();

  NoReconciliation(TaskStore inner) {
    super(inner);
  }

  @Override
  public ClaimResult claim(ClaimRequest request) {
    ClaimResult claimResult = inner.claim(request);
    claimResult.leases().forEach(lease -> answered.add(lease.task().lease()));
    return claimResult;
  }

  @Override
  public NodeRegistry nodes() {
    return new ForwardingNodeRegistry(inner.nodes()) {
      @Override
      public Optional<List<LeaseKey>> renew(UUID node, Duration validity) {
        return inner
            .renew(node, validity)
            .map(held -> held.stream().filter(answered::contains).toList());
      }
    };
  }
}
