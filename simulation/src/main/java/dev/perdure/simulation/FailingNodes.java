// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.engine.store.NodeBook;
import dev.perdure.engine.task.LeaseKey;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The rows of the nodes, at the other end of a wire. */
final class FailingNodes implements NodeBook {

  private final NodeBook inner;
  private final Wire wire;

  FailingNodes(NodeBook inner, Wire wire) {
    this.inner = inner;
    this.wire = wire;
  }

  @Override
  public void join(Node node, Duration validity) {
    wire.renewal(
        "join",
        () -> {
          inner.join(node, validity);
          return true;
        });
  }

  @Override
  public Optional<List<LeaseKey>> renew(UUID node, Duration validity) {
    return wire.renewal("renew", () -> inner.renew(node, validity));
  }

  @Override
  public List<LeaseKey> held(UUID node) {
    return wire.read("held", () -> inner.held(node));
  }

  @Override
  public void leave(UUID node) {
    wire.write(
        "leave",
        () -> {
          inner.leave(node);
          return true;
        });
  }

  @Override
  public List<UUID> buryLapsed(int limit) {
    return wire.write("bury", () -> inner.buryLapsed(limit));
  }

  @Override
  public List<Node> alive() {
    return wire.read("alive", inner::alive);
  }
}
