// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.Batch;
import dev.perdure.engine.Engine;
import dev.perdure.engine.EngineEnvironment;
import dev.perdure.engine.EngineSchedules;
import dev.perdure.engine.ManualEngine;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.ScheduleOptions;
import dev.perdure.engine.schedule.Overlap;
import dev.perdure.engine.schedule.Trigger;
import dev.perdure.engine.spi.ScheduleStore;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.task.StoreException;
import dev.perdure.store.jdbc.JdbcStore;
import dev.perdure.testing.FakeClock;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Three nodes fire 10,500 times while their connections die. */
@Tag("slow")
final class ScheduleCrashTest {

  private static final int NODES = 3;
  private static final int SCHEDULES = 500;
  private static final int INSTANTS = 21;

  /** Small, so that the nodes fire at the same time and in many transactions. */
  private static final int BATCH_SIZE = 25;

  private static final Duration EVERY = Duration.ofMinutes(1);
  private static final Duration LIMIT = Duration.ofMinutes(2);

  private final PostgresScenario scenario = new PostgresScenario();
  private final List<UnreliableCommits> connections = new ArrayList<>();
  private final List<JdbcStore> stores = new ArrayList<>();
  private final AtomicBoolean over = new AtomicBoolean();

  @AfterEach
  void close() {
    stores.forEach(JdbcStore::close);
    scenario.close();
  }

  @Test
  void each_instant_fires_once_and_none_is_missing() throws Exception {
    create(node(scenario.store, 0).engine().schedules());
    try (ExecutorService nodes = Executors.newFixedThreadPool(NODES)) {
      List<Future<Integer>> running = new ArrayList<>();
      for (int i = 1; i <= NODES; i++) {
        ManualEngine node = node(unreliable(i), i);
        running.add(nodes.submit(() -> fireUntilOver(node)));
      }
      try {
        for (int i = 0; i < INSTANTS; i++) {
          scenario.clock.advance(EVERY);
          awaitNoneDue();
        }
      } finally {
        over.set(true);
      }
      for (Future<Integer> node : running) {
        assertThat(node.get()).as("each node has fired").isPositive();
      }
    }

    int firings = SCHEDULES * INSTANTS;
    assertThat(killed()).as("connections that were killed").isGreaterThan(20);
    assertThat(answersLost()).as("answers that were lost").isGreaterThan(20);
    assertThat(count("SELECT count(*) FROM perdure_firing WHERE outcome = 'fired' AND missed = 0"))
        .isEqualTo(firings);
    assertThat(count("SELECT count(*) FROM perdure_firing")).isEqualTo(firings);
    assertThat(count("SELECT count(DISTINCT batch) FROM perdure_firing")).isEqualTo(firings);
    assertThat(count("SELECT count(*) FROM perdure_batch")).isEqualTo(firings);
    assertThat(
            count(
                """
                SELECT count(*)
                FROM perdure_firing f
                JOIN perdure_task_state t ON t.batch = f.batch AND t.schedule = f.schedule
                """))
        .isEqualTo(firings);
    assertThat(count("SELECT count(*) FROM perdure_task_state")).isEqualTo(firings);
    assertThat(
            count(
                """
                SELECT count(*)
                FROM perdure_schedule s
                CROSS JOIN generate_series(1, %d) i
                JOIN perdure_firing f
                  ON f.schedule = s.id AND f.scheduled_for = s.anchor_at + i * INTERVAL '1 minute'
                """
                    .formatted(INSTANTS)))
        .as("instants that have a firing")
        .isEqualTo(firings);
  }

  private static void create(EngineSchedules schedules) {
    ScheduleOptions options = ScheduleOptions.defaults().withOverlap(Overlap.ALLOW);
    for (int i = 0; i < SCHEDULES; i++) {
      Batch batch = Batch.of(NewTask.of("a", "payload"));
      schedules.create("schedule " + i, Trigger.every(EVERY), batch, options);
    }
  }

  private TaskStore unreliable(int number) {
    UnreliableCommits unreliable = new UnreliableCommits(scenario.dataSource(), number);
    connections.add(unreliable);
    JdbcStore store =
        JdbcStore.builder().dataSource(unreliable.connections()).clock(scenario.clock).open();
    stores.add(store);
    return inSmallBatches(store);
  }

  private ManualEngine node(TaskStore store, int number) {
    return Engine.builder(store)
        .name("node " + number)
        .environment(
            new EngineEnvironment(
                scenario.clock,
                () -> Duration.between(FakeClock.START, scenario.clock.instant()),
                new SplittableRandom(number),
                (name, work) -> () -> {}))
        .buildManual();
  }

  /** A store that fires few schedules at a time, whatever it is asked for. */
  private static TaskStore inSmallBatches(TaskStore store) {
    ScheduleStore schedules = store.schedules();
    ScheduleStore small =
        proxy(
            ScheduleStore.class,
            (method, arguments) -> {
              if (method.getName().equals("fireDue")) {
                arguments[0] = BATCH_SIZE;
              }
              return invoke(schedules, method, arguments);
            });
    return proxy(
        TaskStore.class,
        (method, arguments) ->
            method.getName().equals("schedules") ? small : invoke(store, method, arguments));
  }

  /** Answers a call. */
  private interface Answer {
    Object to(Method method, Object[] arguments) throws Throwable;
  }

  private static <T> T proxy(Class<T> type, Answer answer) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> answer.to(method, arguments)));
  }

  private static Object invoke(Object target, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException failure) {
      throw failure.getCause();
    }
  }

  private int fireUntilOver(ManualEngine node) {
    int fired = 0;
    while (!over.get()) {
      try {
        int found = node.fireSchedules();
        fired += found;
        if (found == 0) {
          LockSupport.parkNanos(1_000_000);
        }
      } catch (StoreException disturbed) {
        // As the engine's loop does: try again.
      }
    }
    return fired;
  }

  private void awaitNoneDue() throws SQLException {
    long end = System.nanoTime() + LIMIT.toNanos();
    String due =
        "SELECT count(*) FROM perdure_schedule WHERE look_at <= '%s'"
            .formatted(scenario.clock.instant());
    try (Connection connection = scenario.database.connect()) {
      while (PostgresScenario.number(connection, due) > 0) {
        assertThat(System.nanoTime()).as("schedules do not fire").isLessThan(end);
        LockSupport.parkNanos(5_000_000);
      }
    }
  }

  private int killed() {
    return connections.stream().mapToInt(one -> one.killed.get()).sum();
  }

  private int answersLost() {
    return connections.stream().mapToInt(one -> one.answersLost.get()).sum();
  }

  private long count(String sql) throws SQLException {
    try (Connection connection = scenario.database.connect()) {
      return PostgresScenario.number(connection, sql);
    }
  }
}
