// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation.bug;

import dev.perdure.engine.store.NodeBook;
import dev.perdure.engine.task.LeaseKey;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Passes everything on; what differs is overridden. */
public class ForwardingNodes implements NodeBook {

  protected final NodeBook inner;

  protected ForwardingNodes(NodeBook inner) {
    this.inner = inner;
  }

  @Override
  public void join(Node node, Duration validity) {
    inner.join(node, validity);
  }

  @Override
  public Optional<List<LeaseKey>> renew(UUID node, Duration validity) {
    return inner.renew(node, validity);
  }

  @Override
  public List<LeaseKey> held(UUID node) {
    return inner.held(node);
  }

  @Override
  public void leave(UUID node) {
    inner.leave(node);
  }

  @Override
  public List<UUID> buryLapsed(int limit) {
    return inner.buryLapsed(limit);
  }

  @Override
  public List<Node> alive() {
    return inner.alive();
  }
}
