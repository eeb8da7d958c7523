// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.engine.NodeLeaseOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The machines, and what is done to them. */
final class Cluster {

  private static final Duration LEASE = NodeLeaseOptions.DEFAULT.validity();

  private final World world;
  private final List<Host> hosts = new ArrayList<>();

  Cluster(World world) {
    this.world = world;
    int many = world.random.between(2, 5);
    for (int i = 1; i <= many; i++) {
      hosts.add(new Host(world, i));
    }
  }

  void boot() {
    hosts.forEach(host -> world.scheduler.after(world.random.seconds(0, 3), host::bootIfEmpty));
  }

  /** Lets something go wrong now and then, until the weather clears. */
  void scheduleNextFault() {
    world.scheduler.after(world.random.seconds(2, 40), this::injectRandomFault);
  }

  private void injectRandomFault() {
    if (world.faults.hasEnded()) {
      return;
    }
    List<Fault> sudden = Fault.SUDDEN.stream().filter(world.faults::isActive).toList();
    if (!sudden.isEmpty()) {
      inject(world.random.pick(sudden), world.random.pick(hosts));
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
      boolean clockToo = world.random.oneIn(2);
      process.freeze(clockToo);
      if (length.compareTo(LEASE) > 0) {
        world.trace.covered(CoveragePoint.FROZEN_PAST_ITS_LEASE);
      }
      world.scheduler.after(length, () -> thaw(process, clockToo));
    }
  }

  private static void endPartition(NodeProcess process) {
    if (!process.isDead()) {
      process.setPartitioned(false);
    }
  }

  private static void thaw(NodeProcess process, boolean clockToo) {
    if (!process.isDead()) {
      process.thaw(clockToo);
    }
  }

  /** Around the lengths at which a node stops itself, and at which it is called dead. */
  private Duration faultDuration() {
    return world.random.oneIn(3) ? world.random.seconds(0, 14) : world.random.seconds(14, 60);
  }

  private void outage() {
    if (world.faults.outage()) {
      return;
    }
    Duration length = faultDuration();
    world.trace.line("database", "is away");
    if (length.compareTo(LEASE) > 0) {
      world.trace.covered(CoveragePoint.OUTAGE_LONGER_THAN_A_LEASE);
    }
    world.faults.outage(true);
    world.scheduler.after(
        length,
        () -> {
          world.trace.line("database", "is back");
          world.faults.outage(false);
        });
  }

  /** All faults end; those that go on end by themselves within a minute. */
  void endFaults() {
    world.trace.line("", "the weather clears");
    world.faults.end();
    hosts.forEach(Host::bootIfEmpty);
  }

  /** Nothing of the run is left behind. */
  void shutDown() {
    hosts.forEach(Host::shutDown);
  }

  /** A process that a client can reach, or null. */
  @Nullable NodeProcess anyProcess() {
    NodeProcess process = world.random.pick(hosts).process();
    return process == null || process.isFrozen() || process.isStopping() ? null : process;
  }
}
