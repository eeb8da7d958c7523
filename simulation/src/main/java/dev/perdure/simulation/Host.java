// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A machine with its own wall clock. It runs one node process at a time. */
final class Host implements InstantSource {

  private static final List<ZoneOffset> ZONES =
      List.of(
          ZoneOffset.UTC,
          ZoneOffset.ofHours(2),
          ZoneOffset.ofHoursMinutes(5, 30),
          ZoneOffset.ofHours(-3));

  private final World world;
  private final int number;
  private final ZoneOffset zone;
  private Duration clockError;
  private int boots;
  private @Nullable NodeProcess process;

  Host(World world, int number) {
    this.world = world;
    this.number = number;
    this.zone = world.random.pick(ZONES);
    this.clockError = world.random.seconds(-30, 30);
  }

  void boot() {
    boots++;
    NodeProcess next = new NodeProcess(world, this, "n" + number + "." + boots);
    process = next;
    next.boot();
  }

  /** Returns the running process, or null. */
  @Nullable NodeProcess process() {
    return process;
  }

  void crash() {
    if (process != null) {
      world.trace.line(process.name(), "is killed");
      process.kill();
      process = null;
      bootLater();
    }
  }

  void processEnded() {
    if (process != null) {
      world.trace.line(process.name(), "ends");
      process.kill();
      process = null;
      bootLater();
    }
  }

  /** Kills the process at the end of the run. */
  void shutDown() {
    if (process != null) {
      process.kill();
    }
  }

  private void bootLater() {
    world.scheduler.after(world.random.seconds(0, 40), this::bootIfEmpty);
  }

  void bootIfEmpty() {
    if (process == null) {
      boot();
    }
  }

  void jumpClock() {
    clockError = world.random.seconds(-7200, 7200);
    world.trace.line("host " + number, "clock is now wrong by " + clockError);
  }

  @Override
  public Instant instant() {
    return world.now().plus(clockError);
  }

  ZoneOffset zone() {
    return zone;
  }
}
