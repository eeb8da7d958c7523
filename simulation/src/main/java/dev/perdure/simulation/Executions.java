// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.engine.task.LeaseKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** All executions of a run, and those that are running. */
final class Executions {

  private final World world;
  private final Map<LeaseKey, SimulatedExecution> all = new LinkedHashMap<>();
  private final Map<UUID, List<SimulatedExecution>> running = new LinkedHashMap<>();
  private final Map<UUID, List<Runnable>> afterEnd = new HashMap<>();

  Executions(World world) {
    this.world = world;
  }

  void started(SimulatedExecution execution) {
    world.violations.require(
        all.put(execution.key(), execution) == null,
        Invariant.NO_OVERLAP,
        "the same lease was started twice: " + execution.describe());
    world.checker.started(execution);
    List<SimulatedExecution> others =
        running.computeIfAbsent(execution.key().task(), task -> new ArrayList<>());
    others.forEach(other -> requireAllowedOverlap(other, execution));
    others.add(execution);
    world.limits.started(execution);
  }

  private void requireAllowedOverlap(SimulatedExecution other, SimulatedExecution started) {
    // The execution of the older lease should have ended, even if it started later.
    SimulatedExecution stale = other.key().epoch() < started.key().epoch() ? other : started;
    CoveragePoint allowed = stale.allowedOverlap();
    if (allowed == null) {
      world.violations.report(
          Invariant.NO_OVERLAP,
          "%s starts %s while %s still runs %s"
              .formatted(
                  started.process().name(),
                  started.describe(),
                  other.process().name(),
                  other.describe()));
    } else {
      world.trace.covered(allowed);
    }
  }

  /** Removes an execution that ended or whose process died. */
  void ended(SimulatedExecution execution) {
    List<SimulatedExecution> others = running.get(execution.key().task());
    if (others != null) {
      others.remove(execution);
    }
    afterEnd.getOrDefault(execution.key().task(), List.of()).forEach(Runnable::run);
    afterEnd.remove(execution.key().task());
  }

  /** Runs the work when the next execution of the task has ended and its end is being written. */
  void afterEnd(UUID task, Runnable work) {
    afterEnd.computeIfAbsent(task, id -> new ArrayList<>()).add(work);
  }

  /** Returns the executions of the task that have not ended. */
  List<SimulatedExecution> running(UUID task) {
    return running.getOrDefault(task, List.of());
  }

  @Nullable SimulatedExecution find(LeaseKey key) {
    return all.get(key);
  }

  Collection<SimulatedExecution> all() {
    return all.values();
  }
}
