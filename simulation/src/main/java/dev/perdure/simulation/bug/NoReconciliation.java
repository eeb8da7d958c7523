// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation.bug;

import dev.perdure.engine.store.ClaimRequest;
import dev.perdure.engine.store.Claimed;
import dev.perdure.engine.store.NodeBook;
import dev.perdure.engine.store.TaskStore;
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
  public Claimed claim(ClaimRequest request) {
    Claimed claimed = inner.claim(request);
    claimed.leases().forEach(lease -> answered.add(lease.task().lease()));
    return claimed;
  }

  @Override
  public NodeBook nodes() {
    return new ForwardingNodes(inner.nodes()) {
      @Override
      public Optional<List<LeaseKey>> renew(UUID node, Duration validity) {
        return inner
            .renew(node, validity)
            .map(held -> held.stream().filter(answered::contains).toList());
      }
    };
  }
}
