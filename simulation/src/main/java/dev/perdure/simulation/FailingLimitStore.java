// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.engine.spi.LimitStore;
import dev.perdure.engine.task.KindLimit;
import dev.perdure.engine.task.Limit;
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
  public List<KindLimit> ofKinds() {
    return connection.read("list limits of kinds", inner::ofKinds);
  }

  @Override
  public void setKind(String kind, List<Limit> limits, KindLimit.Source source) {
    connection.write(
        "set limits of a kind",
        () -> {
          inner.setKind(kind, limits, source);
          return true;
        });
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
