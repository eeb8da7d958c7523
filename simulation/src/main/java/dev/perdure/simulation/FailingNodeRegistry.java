// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.engine.spi.NodeRegistry;
import dev.perdure.engine.task.LeaseKey;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** A node registry behind an unreliable connection. */
final class FailingNodeRegistry implements NodeRegistry {

  private final NodeRegistry inner;
  private final UnreliableConnection connection;

  FailingNodeRegistry(NodeRegistry inner, UnreliableConnection connection) {
    this.inner = inner;
    this.connection = connection;
  }

  @Override
  public void join(RegisteredNode node, Duration validity) {
    connection.renewal(
        "join",
        () -> {
          inner.join(node, validity);
          return true;
        });
  }

  @Override
  public Optional<List<LeaseKey>> renew(UUID node, Duration validity) {
    return connection.renewal("renew", () -> inner.renew(node, validity));
  }

  @Override
  public List<LeaseKey> leasesOf(UUID node) {
    return connection.read("list leases", () -> inner.leasesOf(node));
  }

  @Override
  public void leave(UUID node) {
    connection.write(
        "leave",
        () -> {
          inner.leave(node);
          return true;
        });
  }

  @Override
  public List<UUID> markExpiredDead(int limit) {
    return connection.write("mark dead", () -> inner.markExpiredDead(limit));
  }

  @Override
  public Optional<String> nameOf(String worker) {
    return connection.read("name of a node", () -> inner.nameOf(worker));
  }

  @Override
  public List<RegisteredNode> alive() {
    return connection.read("alive", inner::alive);
  }
}
