// SPDX-License-Identifier: Apache-2.0
package dev.perdure.testing;

import dev.perdure.engine.spi.NodeRegistry;
import dev.perdure.engine.task.LeaseKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The nodes of the in-memory store. */
final class InMemoryNodeRegistry implements NodeRegistry {

  private final InMemoryDatabase database;

  InMemoryNodeRegistry(InMemoryDatabase database) {
    this.database = database;
  }

  @Override
  public void join(RegisteredNode registeredNode, Duration validity) {
    synchronized (database) {
      database.nodes.add(registeredNode, database.now(), database.now().plus(validity));
    }
  }

  @Override
  public Optional<List<LeaseKey>> renew(UUID node, Duration validity) {
    synchronized (database) {
      Instant now = database.now();
      if (!database.nodes.isAlive(node, now)) {
        return Optional.empty();
      }
      database.nodes.extend(node, now.plus(validity));
      return Optional.of(leases(node.toString()));
    }
  }

  @Override
  public List<LeaseKey> leasesOf(UUID node) {
    synchronized (database) {
      return leases(node.toString());
    }
  }

  private List<LeaseKey> leases(String worker) {
    return database
        .tasks
        .leased()
        .filter(storedTask -> worker.equals(storedTask.task().worker()))
        .map(storedTask -> storedTask.task().lease())
        .toList();
  }

  @Override
  public void leave(UUID node) {
    synchronized (database) {
      database.nodes.remove(node);
    }
  }

  @Override
  public List<UUID> markExpiredDead(int limit) {
    synchronized (database) {
      return database.nodes.markDead(database.now(), limit);
    }
  }

  @Override
  public Optional<String> nameOf(String worker) {
    synchronized (database) {
      return database.nodes.nameOf(worker);
    }
  }

  @Override
  public List<RegisteredNode> alive() {
    synchronized (database) {
      return database.nodes.alive(database.now());
    }
  }
}
