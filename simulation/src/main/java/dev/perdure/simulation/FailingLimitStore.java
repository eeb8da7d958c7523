// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.engine.spi.LimitStore;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The limits behind an unreliable connection. */
final class FailingLimitStore implements LimitStore {

  private final LimitStore inner;
  private final UnreliableConnection connection;

  FailingLimitStore(LimitStore inner, UnreliableConnection connection) {
    this.inner = inner;
    this.connection = connection;
  }

  @Override
  public List<LimitUsage> list(String after, int limit) {
    return connection.read("list limits", () -> inner.list(after, limit));
  }

  @Override
  public Optional<LimitWait> waitOf(UUID task) {
    return connection.read("limit wait", () -> inner.waitOf(task));
  }

  @Override
  public Optional<UUID> findUncounted(UUID batch, String kind) {
    return connection.read("find uncounted", () -> inner.findUncounted(batch, kind));
  }

  @Override
  public RulesChanged changeRules(RulesChange change) {
    return connection.write("change rules", () -> inner.changeRules(change));
  }
}
