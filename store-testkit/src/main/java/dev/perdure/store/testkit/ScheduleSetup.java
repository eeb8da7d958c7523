// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import dev.perdure.engine.Batch;
import dev.perdure.engine.EngineExecutor;
import dev.perdure.engine.EngineSchedules;
import dev.perdure.engine.ManualEngine;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.ScheduleOptions;
import dev.perdure.engine.schedule.Firing;
import dev.perdure.engine.schedule.Firing.Outcome;
import dev.perdure.engine.schedule.Schedule;
import dev.perdure.engine.schedule.Trigger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;

/** Shared setup: nodes that fire schedules, step by step. */
abstract class ScheduleSetup extends StoreContract {

  static final Duration MINUTE = Duration.ofMinutes(1);
  static final Trigger EVERY_MINUTE = Trigger.every(MINUTE);
  static final ScheduleOptions DEFAULTS = ScheduleOptions.defaults();

  /** Handlers that have started and run when the test says so. */
  final Deque<Runnable> handlers = new ArrayDeque<>();

  private final EngineExecutor later =
      (name, work) -> {
        handlers.add(work);
        return () -> {};
      };

  boolean failing;

  ScheduleSetup(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  ManualEngine node(String name) {
    clock.advance(MILLI); // So that no two nodes have the same id.
    ManualEngine node = ManualEngines.on(store, clock, later).name(name).buildManual();
    node.engine()
        .register(
            "sync",
            String.class,
            (payload, context) -> {
              if (failing) {
                throw new IllegalStateException("no slots");
              }
            });
    node.renew();
    return node;
  }

  static Batch task() {
    return Batch.of(NewTask.of("sync", "x"));
  }

  static EngineSchedules schedules(ManualEngine node) {
    return node.engine().schedules();
  }

  List<Outcome> outcomes(Schedule schedule) {
    return store.schedules().firings(schedule.id(), 100).reversed().stream()
        .map(Firing::outcome)
        .toList();
  }

  List<Instant> instants(Schedule schedule) {
    return store.schedules().firings(schedule.id(), 100).reversed().stream()
        .map(Firing::scheduledFor)
        .toList();
  }

  /** Runs everything that can start. */
  void work(ManualEngine node) {
    node.renew();
    node.claim();
    while (!handlers.isEmpty()) {
      handlers.remove().run();
    }
    node.settle();
  }

  static Schedule find(ManualEngine node, String name) {
    return schedules(node).findByName(name).orElseThrow();
  }
}
