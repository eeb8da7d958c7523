// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation.bug;

import dev.perdure.engine.spi.NodeRegistry;
import dev.perdure.engine.task.LeaseKey;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Forwards every call. Subclasses override some of them. */
public class ForwardingNodeRegistry implements NodeRegistry {

  protected final NodeRegistry inner;

  protected ForwardingNodeRegistry(NodeRegistry inner) {
    this.inner = inner;
  }

  @Override
  public void join(RegisteredNode node, Duration validity) {
    inner.join(node, validity);
  }

  @Override
  public Optional<List<LeaseKey>> renew(UUID node, Duration validity) {
    return inner.renew(node, validity);
  }

  @Override
  public List<LeaseKey> leasesOf(UUID node) {
    return inner.leasesOf(node);
  }

  @Override
  public void leave(UUID node) {
    inner.leave(node);
  }

  @Override
  public List<UUID> markExpiredDead(int limit) {
    return inner.markExpiredDead(limit);
  }

  @Override
  public Optional<String> nameOf(String worker) {
    return inner.nameOf(worker);
  }

  @Override
  public List<RegisteredNode> alive() {
    return inner.alive();
  }
}
