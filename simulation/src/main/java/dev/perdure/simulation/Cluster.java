// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.engine.NodeLeaseOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The hosts of a run, and the faults that hit them. */
final class Cluster {

  private static final Duration LEASE = NodeLeaseOptions.DEFAULT.validity();

  /** Long enough for a node to come back after an error. */
  static final Duration UNDISTURBED = Duration.ofSeconds(30);

  private final World world;
  private final List<Host> hosts = new ArrayList<>();

  Cluster(World world) {
    this.world = world;
    int count = world.random.between(2, 5);
    for (int i = 1; i <= count; i++) {
      hosts.add(new Host(world, i));
    }
  }

  void boot() {
    hosts.forEach(host -> world.scheduler.after(world.random.seconds(0, 3), host::bootIfEmpty));
  }

  /** Injects a random fault from time to time, until the faults end. */
  void scheduleNextFault() {
    world.scheduler.after(world.random.seconds(2, 40), this::injectRandomFault);
  }

  private void injectRandomFault() {
    if (world.faults.hasEnded()) {
      return;
    }
    List<Fault> candidates = Fault.SUDDEN.stream().filter(world.faults::isActive).toList();
    if (!candidates.isEmpty()) {
      inject(world.random.pick(candidates), world.random.pick(hosts));
    }
    scheduleNextFault();
  }

  private void inject(Fault fault, Host host) {
    NodeProcess process = host.process();
    switch (fault) {
      case OUTAGE -> outage();
      case WALL_CLOCK_JUMPS -> host.jumpClock();
      case CRASH -> host.crash();
      default -> {
        if (process != null && !process.isFrozen()) {
          inject(fault, process);
        }
      }
    }
  }

  private void inject(Fault fault, NodeProcess process) {
    Duration length = faultDuration();
    if (fault == Fault.STOP && !process.isStopping()) {
      process.stop();
    } else if (fault == Fault.PARTITION && !process.isPartitioned()) {
      process.setPartitioned(true);
      world.scheduler.after(length, () -> endPartition(process));
    } else if (fault == Fault.FREEZE) {
      boolean withClock = world.random.oneIn(2);
      process.freeze(withClock);
      if (length.compareTo(LEASE) > 0) {
        world.trace.covered(CoveragePoint.FROZEN_PAST_ITS_LEASE);
      }
      world.scheduler.after(length, () -> thaw(process, withClock));
    }
  }

  private static void endPartition(NodeProcess process) {
    if (!process.isDead()) {
      process.setPartitioned(false);
    }
  }

  private static void thaw(NodeProcess process, boolean withClock) {
    if (!process.isDead()) {
      process.thaw(withClock);
    }
  }

  /** Returns a duration near the times after which a node stops itself or is declared dead. */
  private Duration faultDuration() {
    return world.random.oneIn(3) ? world.random.seconds(0, 14) : world.random.seconds(14, 60);
  }

  private void outage() {
    if (world.faults.outage()) {
      return;
    }
    Duration length = faultDuration();
    world.trace.line("database", "is down");
    if (length.compareTo(LEASE) > 0) {
      world.trace.covered(CoveragePoint.OUTAGE_LONGER_THAN_A_LEASE);
    }
    world.faults.outage(true);
    world.scheduler.after(
        length,
        () -> {
          world.trace.line("database", "is up again");
          world.faults.outage(false);
        });
  }

  /** Ends all faults. A fault that is under way ends by itself within a minute. */
  void endFaults() {
    world.trace.line("", "the faults end");
    world.faults.end();
    hosts.forEach(Host::bootIfEmpty);
  }

  /** Kills all processes at the end of the run. */
  void shutDown() {
    hosts.forEach(Host::shutDown);
  }

  /** Returns whether a node that nothing has disturbed lately can claim a task of this kind. */
  boolean hasFreeSlot(String kind) {
    Instant lately = world.now().minus(UNDISTURBED);
    return hosts.stream()
        .map(Host::process)
        .filter(Objects::nonNull)
        .filter(process -> !process.isStopping() && !process.disturbedSince(lately))
        .anyMatch(process -> process.hasFreeSlot(kind));
  }

  /** Returns a random process that a client can reach, or null. */
  @Nullable NodeProcess anyProcess() {
    NodeProcess process = world.random.pick(hosts).process();
    return process == null || process.isFrozen() || process.isStopping() ? null : process;
  }
}
