// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.engine.spi.LimitStore;
import dev.perdure.engine.task.KindLimit;
import dev.perdure.engine.task.Limit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Checks what the database does to the limits of tasks. */
final class CheckedLimitStore implements LimitStore {

  private final LimitStore inner;
  private final World world;
  private final NodeProcess process;

  CheckedLimitStore(LimitStore inner, World world, NodeProcess process) {
    this.inner = inner;
    this.world = world;
    this.process = process;
  }

  @Override
  public List<LimitUsage> list(String after, int limit) {
    return inner.list(after, limit);
  }

  @Override
  public List<KindLimit> ofKinds() {
    return inner.ofKinds();
  }

  @Override
  public void setKind(String kind, List<Limit> limits, KindLimit.Source source) {
    inner.setKind(kind, limits, source);
    world.kindLimits.set(kind, limits);
  }

  @Override
  public Optional<LimitWait> waitOf(UUID task) {
    return inner.waitOf(task);
  }

  @Override
  public Optional<UUID> findUncounted(UUID batch, String kind) {
    return inner.findUncounted(batch, kind);
  }

  @Override
  public RulesChanged changeRules(RulesChange change) {
    RulesChanged changed = inner.changeRules(change);
    world.checker.rulesChanged(change, changed, process);
    return changed;
  }
}
