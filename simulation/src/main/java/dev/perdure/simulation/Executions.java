// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.engine.task.LeaseKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Every execution there ever was, and which of them run now. */
final class Executions {

  private final World world;
  private final Map<LeaseKey, SimulatedExecution> all = new LinkedHashMap<>();
  private final Map<UUID, List<SimulatedExecution>> running = new LinkedHashMap<>();

  Executions(World world) {
    this.world = world;
  }

  void started(SimulatedExecution simulatedExecution) {
    world.violations.require(
        all.put(simulatedExecution.key(), simulatedExecution) == null,
        Invariant.NO_OVERLAP,
        "the same lease was started twice: " + simulatedExecution.describe());
    world.checker.started(simulatedExecution);
    List<SimulatedExecution> others =
        running.computeIfAbsent(simulatedExecution.key().task(), task -> new ArrayList<>());
    others.forEach(other -> requireAllowedOverlap(other, simulatedExecution));
    others.add(simulatedExecution);
  }

  private void requireAllowedOverlap(SimulatedExecution other, SimulatedExecution started) {
    // The older lease is the one that should not run any more, whichever began first.
    SimulatedExecution stale = other.key().epoch() < started.key().epoch() ? other : started;
    CoveragePoint excuse = stale.allowedOverlap();
    if (excuse == null) {
      world.violations.report(
          Invariant.NO_OVERLAP,
          "%s starts %s while %s still runs %s"
              .formatted(
                  started.process().name(),
                  started.describe(),
                  other.process().name(),
                  other.describe()));
    } else {
      world.trace.covered(excuse);
    }
  }

  /** It ended, or its process died. */
  void ended(SimulatedExecution simulatedExecution) {
    List<SimulatedExecution> others = running.get(simulatedExecution.key().task());
    if (others != null) {
      others.remove(simulatedExecution);
    }
  }

  @Nullable SimulatedExecution find(LeaseKey key) {
    return all.get(key);
  }

  Collection<SimulatedExecution> all() {
    return all.values();
  }
}
