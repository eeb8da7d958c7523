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

/** Hides leases from a renewal if the node never received the response to their claim. */
final class NoReconciliation extends ForwardingStore {

  private final Set<LeaseKey> received = new HashSet<>();

  NoReconciliation(TaskStore inner) {
    super(inner);
  }

  @Override
  public ClaimResult claim(ClaimRequest request) {
    ClaimResult result = inner.claim(request);
    result.leases().forEach(lease -> received.add(lease.task().lease()));
    return result;
  }

  @Override
  public NodeRegistry nodes() {
    return new ForwardingNodeRegistry(inner.nodes()) {
      @Override
      public Optional<List<LeaseKey>> renew(UUID node, Duration validity) {
        return inner
            .renew(node, validity)
            .map(leases -> leases.stream().filter(received::contains).toList());
      }
    };
  }
}
