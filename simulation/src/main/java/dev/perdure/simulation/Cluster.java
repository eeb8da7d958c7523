// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.engine.LeaseTimes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The machines, and what is done to them. */
final class Cluster {

  private static final Duration LEASE = LeaseTimes.DEFAULT.validity();

  private final World world;
  private final List<Host> hosts = new ArrayList<>();

  Cluster(World world) {
    this.world = world;
    int many = world.chance.between(2, 5);
    for (int i = 1; i <= many; i++) {
      hosts.add(new Host(world, i));
    }
  }

  void boot() {
    hosts.forEach(host -> world.scheduler.after(world.chance.seconds(0, 3), host::bootIfEmpty));
  }

  /** Lets something go wrong now and then, until the weather clears. */
  void beginTrouble() {
    world.scheduler.after(world.chance.seconds(2, 40), this::trouble);
  }

  private void trouble() {
    if (world.weather.fair()) {
      return;
    }
    List<Fault> sudden = Fault.SUDDEN.stream().filter(world.weather::has).toList();
    if (!sudden.isEmpty()) {
      strike(world.chance.pick(sudden), world.chance.pick(hosts));
    }
    beginTrouble();
  }

  private void strike(Fault fault, Host host) {
    NodeProcess process = host.process();
    switch (fault) {
      case OUTAGE -> outage();
      case WALL_CLOCK_JUMPS -> host.jumpClock();
      case CRASH -> host.crash();
      default -> {
        if (process != null && !process.isFrozen()) {
          strike(fault, process);
        }
      }
    }
  }

  private void strike(Fault fault, NodeProcess process) {
    Duration length = length();
    if (fault == Fault.STOP && !process.isStopping()) {
      process.stop();
    } else if (fault == Fault.CUT_OFF && !process.isCutOff()) {
      process.cutOff(true);
      world.scheduler.after(length, () -> reachable(process));
    } else if (fault == Fault.FREEZE) {
      boolean clockToo = world.chance.oneIn(2);
      process.freeze(clockToo);
      if (length.compareTo(LEASE) > 0) {
        world.trace.saw(Situation.FROZEN_PAST_ITS_LEASE);
      }
      world.scheduler.after(length, () -> thaw(process, clockToo));
    }
  }

  private static void reachable(NodeProcess process) {
    if (!process.isDead()) {
      process.cutOff(false);
    }
  }

  private static void thaw(NodeProcess process, boolean clockToo) {
    if (!process.isDead()) {
      process.thaw(clockToo);
    }
  }

  /** Around the lengths at which a node stops itself, and at which it is called dead. */
  private Duration length() {
    return world.chance.oneIn(3) ? world.chance.seconds(0, 14) : world.chance.seconds(14, 60);
  }

  private void outage() {
    if (world.weather.outage()) {
      return;
    }
    Duration length = length();
    world.trace.line("database", "is away");
    if (length.compareTo(LEASE) > 0) {
      world.trace.saw(Situation.OUTAGE_LONGER_THAN_A_LEASE);
    }
    world.weather.outage(true);
    world.scheduler.after(
        length,
        () -> {
          world.trace.line("database", "is back");
          world.weather.outage(false);
        });
  }

  /** All faults end; those that go on end by themselves within a minute. */
  void heal() {
    world.trace.line("", "the weather clears");
    world.weather.clear();
    hosts.forEach(Host::bootIfEmpty);
  }

  /** Nothing of the run is left behind. */
  void end() {
    hosts.forEach(Host::end);
  }

  /** A process that a client can reach, or null. */
  @Nullable NodeProcess anyProcess() {
    NodeProcess process = world.chance.pick(hosts).process();
    return process == null || process.isFrozen() || process.isStopping() ? null : process;
  }
}
