// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.engine.EngineSchedules;
import dev.perdure.engine.schedule.Schedule;
import dev.perdure.engine.task.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;

/** Operators that create, change, trigger and delete schedules. */
final class ScheduleClients {

  private static final List<String> NAMES = List.of("hourly", "nightly", "weekly");
  private static final int MAX_TASKS = 10;
  private static final int MAX_WAIT_MS = 12_000;

  /** Long enough after the faults that every instant must have been noted. */
  private static final Duration END_AFTER = Duration.ofSeconds(150);

  private static final Duration AGAIN = Duration.ofSeconds(10);

  private final World world;
  private final Cluster cluster;

  ScheduleClients(World world, Cluster cluster) {
    this.world = world;
    this.cluster = cluster;
  }

  /** Does something from time to time, until the faults end. */
  void scheduleNext() {
    world.scheduler.after(world.random.millis(0, MAX_WAIT_MS), this::runNext);
  }

  private void runNext() {
    if (world.faults.hasEnded()) {
      return;
    }
    NodeProcess process = cluster.anyProcess();
    if (process != null) {
      String name = world.random.pick(NAMES);
      int action = world.random.between(0, 11);
      process.run(() -> operate(process.engine().schedules(), name, action));
    }
    scheduleNext();
  }

  private void operate(EngineSchedules schedules, String name, int action) {
    try {
      Optional<Schedule> found = schedules.findByName(name);
      if (found.isEmpty()) {
        create(schedules, name);
      } else {
        operate(schedules, found.get(), action);
      }
    } catch (IllegalStateException | NoSuchElementException | StoreException refused) {
      world.trace.line("operator", "" + refused.getMessage());
    }
  }

  private void create(EngineSchedules schedules, String name) {
    ScheduleGenerator generator = world.scheduleGenerator;
    schedules.create(name, generator.trigger(), generator.batch(name), generator.options());
  }

  private void operate(EngineSchedules schedules, Schedule found, int action) {
    ScheduleGenerator generator = world.scheduleGenerator;
    switch (action) {
      case 0 -> schedules.pause(found.id());
      case 1, 2 -> schedules.resume(found.id());
      case 3, 4 ->
          // Something else may have changed it since it was read.
          schedules.update(
              found.id(),
              generator.trigger(),
              generator.batch(found.name()),
              generator.options(),
              world.random.oneIn(4) ? found.version() - 1 : found.version());
      case 5 -> schedules.delete(found.id());
      case 6, 7 -> schedules.trigger(found.id());
      case 8 -> schedules.cancelRetries(found.id(), null);
      default -> schedules.resume(found.id());
    }
  }

  /** Ends all schedules when everything has worked for a while, so that the run can end. */
  void endAll() {
    world.scheduler.after(END_AFTER, this::tryToEndAll);
  }

  private void tryToEndAll() {
    NodeProcess process = cluster.anyProcess();
    if (process != null) {
      EngineSchedules schedules = process.engine().schedules();
      world.schedules.active().forEach(active -> process.run(() -> end(schedules, active)));
    }
    world.scheduler.after(AGAIN, this::tryToEndAll);
  }

  /** Deletes a schedule with many tasks or firings that wait, which would take too long. */
  private void end(EngineSchedules schedules, Schedule schedule) {
    try {
      if (schedule.queued() > 0 || world.schedules.liveTasks(schedule.id()) > MAX_TASKS) {
        schedules.delete(schedule.id());
      } else {
        schedules.pause(schedule.id());
      }
    } catch (IllegalStateException | NoSuchElementException | StoreException refused) {
      world.trace.line("operator", "" + refused.getMessage());
    }
  }
}
