// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/** Checks, after the faults, that a task is claimed soon when its limits have room for it. */
final class LimitWatcher {

  private static final Duration EVERY = Duration.ofMillis(500);

  /** Two polls of a node. */
  private static final Duration MAX_WAIT = Duration.ofSeconds(2).plus(EVERY);

  private final World world;
  private final Cluster cluster;
  private final Map<UUID, Instant> since = new HashMap<>();

  LimitWatcher(World world, Cluster cluster) {
    this.world = world;
    this.cluster = cluster;
  }

  /** Begins when the nodes have noticed that the faults have ended. */
  void start() {
    world.scheduler.after(Cluster.UNDISTURBED, this::watch);
  }

  private void watch() {
    world.limits.tasks().forEach(this::look);
    world.scheduler.after(EVERY, this::watch);
  }

  private void look(UUID task) {
    String kind = world.checker.last(task).definition().kind();
    if (!world.limits.couldStart(task) || !cluster.hasFreeSlot(kind)) {
      since.remove(task);
      return;
    }
    Instant first = since.computeIfAbsent(task, id -> world.now());
    for (ExpectedLimit limit : world.limits.of(task)) {
      first = limit.servedAt().isAfter(first) ? limit.servedAt() : first;
    }
    world.violations.require(
        !first.plus(MAX_WAIT).isBefore(world.now()),
        Invariant.OPEN_LIMIT_IS_SERVED,
        "%s waits since %s, although its limits have room and a node has a free slot"
            .formatted(Trace.shortId(task), first));
  }
}
