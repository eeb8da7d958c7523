// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.Batch;
import dev.perdure.engine.Engine;
import dev.perdure.engine.EngineEnvironment;
import dev.perdure.engine.EngineExecutor;
import dev.perdure.engine.EngineSchedules;
import dev.perdure.engine.ManualEngine;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.ScheduleOptions;
import dev.perdure.engine.schedule.Trigger;
import dev.perdure.engine.spi.NodeRegistry;
import dev.perdure.engine.spi.ScheduleStore;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.task.TaskState;
import dev.perdure.simulation.bug.ForwardingNodeRegistry;
import dev.perdure.simulation.bug.ForwardingScheduleStore;
import dev.perdure.simulation.bug.ForwardingStore;
import dev.perdure.testing.FakeClock;
import dev.perdure.testing.InMemoryStore;
import dev.perdure.testing.internal.GraphRules;
import dev.perdure.testing.internal.LimitAccounting;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Defects that only some of 10,000 seeds showed, each as its shortest script. */
class FoundBySimulationTest {

  private final FakeClock clock = new FakeClock();

  /** A task that another transaction holds for one look only: not the first, not the third. */
  private static final class LockedForAMoment implements GraphRules {

    private final AtomicReference<UUID> task = new AtomicReference<>();
    private final AtomicInteger looks = new AtomicInteger();

    @Override
    public boolean isLocked(UUID id) {
      return id.equals(task.get()) && looks.incrementAndGet() == 2;
    }
  }

  @Test
  void an_event_is_kept_until_its_task_was_locked_from_the_start() {
    LockedForAMoment locks = new LockedForAMoment();
    ManualEngine node = node(new InMemoryStore(clock, 1, locks, LimitAccounting.CORRECT));
    List<UUID> ids =
        node.engine()
            .submit(
                Batch.of(
                    NewTask.of("work", "payload").id("first"),
                    NewTask.of("work", "payload").id("second").afterEvenIfFailed("first"),
                    NewTask.of("work", "payload").id("third").after("second")))
            .ids();
    locks.task.set(ids.get(1));
    node.engine().cancel(ids.get(1));
    node.engine().cancel(ids.getFirst());

    for (int i = 0; i < 10; i++) {
      node.propagate();
    }

    assertThat(locks.looks.get()).as("looks at the lock of the second task").isGreaterThan(2);
    assertThat(node.engine().find(ids.getLast()).orElseThrow().state())
        .isEqualTo(TaskState.FAILURE);
  }

  @Test
  void a_node_that_has_left_does_not_join_again() {
    AtomicInteger joins = new AtomicInteger();
    ManualEngine node = node(countingJoins(new InMemoryStore(clock, 1), joins));
    node.renew();
    node.leave();

    node.renew();

    assertThat(joins).hasValue(1);
  }

  @Test
  void a_schedule_is_deleted_beside_the_end_of_its_task() {
    InMemoryStore database = new InMemoryStore(clock, 1);
    ManualEngine other =
        node(
            database,
            (name, work) -> {
              work.run();
              return () -> {};
            });
    other.engine().register("work", String.class, (payload, context) -> {});
    other.renew();
    ManualEngine node =
        node(
            new ForwardingStore(database) {
              @Override
              public ScheduleStore schedules() {
                return new ForwardingScheduleStore(inner.schedules()) {
                  @Override
                  public List<UUID> liveTasks(UUID schedule, @Nullable UUID from, int limit) {
                    List<UUID> live = inner.liveTasks(schedule, from, limit);
                    other.claim();
                    other.settle();
                    return live;
                  }
                };
              }
            });
    EngineSchedules schedules = node.engine().schedules();
    UUID id = everySecond(schedules);
    clock.advance(Duration.ofSeconds(1));
    node.fireSchedules();

    schedules.delete(id);

    assertThat(schedules.find(id)).isEmpty();
  }

  @Test
  void a_schedule_that_fires_while_it_is_deleted_leaves_no_live_task() {
    InMemoryStore database = new InMemoryStore(clock, 1);
    ManualEngine other = node(database);
    ManualEngine node =
        node(
            new ForwardingStore(database) {
              @Override
              public ScheduleStore schedules() {
                return new ForwardingScheduleStore(inner.schedules()) {
                  @Override
                  public boolean delete(UUID id) {
                    other.engine().schedules().trigger(id);
                    return inner.delete(id);
                  }
                };
              }
            });
    EngineSchedules schedules = node.engine().schedules();
    UUID id = everySecond(schedules);

    schedules.delete(id);

    assertThat(database.schedules().liveTasks(id, 10)).isEmpty();
  }

  private static UUID everySecond(EngineSchedules schedules) {
    return schedules
        .create(
            "often",
            Trigger.every(Duration.ofSeconds(1)),
            Batch.of(NewTask.of("work", "payload")),
            ScheduleOptions.defaults())
        .id();
  }

  private ManualEngine node(TaskStore store) {
    return node(store, (name, work) -> () -> {});
  }

  private ManualEngine node(TaskStore store, EngineExecutor executor) {
    return Engine.builder(store)
        .environment(
            new EngineEnvironment(
                clock,
                () -> Duration.between(FakeClock.START, clock.instant()),
                new SplittableRandom(1),
                executor))
        .buildManual();
  }

  private static TaskStore countingJoins(TaskStore store, AtomicInteger joins) {
    return new ForwardingStore(store) {
      @Override
      public NodeRegistry nodes() {
        return new ForwardingNodeRegistry(inner.nodes()) {
          @Override
          public void join(RegisteredNode node, Duration validity) {
            joins.incrementAndGet();
            super.join(node, validity);
          }
        };
      }
    };
  }
}
