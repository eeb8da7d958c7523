// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation.bug;

import dev.perdure.engine.query.PageRequest;
import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.spi.NodeRegistry;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.task.LeaseKey;
import dev.perdure.engine.task.TaskRow;
import dev.perdure.engine.task.TaskState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Renews the lease of a dead node, so that the node continues under its old id. */
final class DeadNodeRenewed extends ForwardingStore {

  DeadNodeRenewed(TaskStore inner) {
    super(inner);
  }

  @Override
  public NodeRegistry nodes() {
    return new ForwardingNodeRegistry(inner.nodes()) {
      @Override
      public Optional<List<LeaseKey>> renew(UUID node, Duration validity) {
        return Optional.of(inner.renew(node, validity).orElseGet(() -> leasesHeldBy(node)));
      }
    };
  }

  private List<LeaseKey> leasesHeldBy(UUID node) {
    return inner
        .reader()
        .list(
            TaskFilter.in(TaskState.CLAIMED, TaskState.RUNNING),
            PageRequest.first(PageRequest.MAX_SIZE))
        .tasks()
        .stream()
        .filter(task -> node.toString().equals(task.worker()))
        .map(TaskRow::lease)
        .toList();
  }
}
