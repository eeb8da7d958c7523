// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.SoftAssertions.assertSoftly;

import dev.perdure.engine.Engine;
import dev.perdure.engine.NodeLeaseOptions;
import dev.perdure.engine.query.LimitReader.LimitUsage;
import dev.perdure.engine.task.AttemptOutcome;
import dev.perdure.engine.task.TaskState;
import dev.perdure.store.jdbc.JdbcStore;
import dev.perdure.store.jdbc.crash.History.StoredHistory;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs worker processes on tasks with limits, kills them, and checks that the limits held and that
 * the places of killed processes are free again.
 */
final class LimitTrial implements AutoCloseable {

  /**
   * Short, so that recovery is quick. But a node that a busy machine slows down does not stop its
   * work at once, because it would hand back hundreds of tasks.
   */
  static final NodeLeaseOptions LEASES =
      new NodeLeaseOptions(
          Duration.ofMillis(250),
          Duration.ofSeconds(6),
          Duration.ofSeconds(3),
          Duration.ofMillis(400));

  /** How long a killed process may keep its places. */
  private static final Duration FREED_WITHIN = Duration.ofSeconds(30);

  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(50);
  private static final int FIRST_TASKS = 400;
  private static final int MORE_TASKS = 200;
  private static final int MAX_LISTED = 1_000;
  private static final int MAX_SHOWN = 20;

  /** A few more than all limits allow, so that the limits decide what runs. */
  private static final int SLOTS = LimitedTasks.PLACES + 20;

  private final String jdbcUrl;
  private final int processes;
  private final CrashTrial trial;
  private final LimitedTasks tasks;
  private final LimitMonitor monitor;
  private final List<ChildProcess> workers = new ArrayList<>();
  private final List<ChildProcess> killed = new ArrayList<>();
  private int limitsLeftInUse;

  LimitTrial(String name, Path folder, String jdbcUrl, NodeLeaseOptions leases, int processes) {
    this.jdbcUrl = jdbcUrl;
    this.processes = processes;
    this.trial = new CrashTrial(name, folder, jdbcUrl, leases, Duration.ZERO);
    this.tasks = new LimitedTasks(trial.random());
    JdbcStore.migrate(jdbcUrl);
    this.monitor = LimitMonitor.start(jdbcUrl);
  }

  /** Starts workers, and waits until as many handlers have started as there are places. */
  void start() throws IOException {
    submit(FIRST_TASKS);
    startMissingWorkers();
    trial.start(workers);
    long start = System.nanoTime();
    while (trial.executions().size() < LimitedTasks.PLACES) {
      assertThat(System.nanoTime() - start).as("wait for work").isLessThan(TIMEOUT.toNanos());
      LockSupport.parkNanos(PAUSE);
    }
    trial.sleepUpTo(Duration.ofMillis(500));
  }

  private void submit(int size) {
    try (JdbcStore store = JdbcStore.open(jdbcUrl);
        Engine engine = Engine.on(store)) {
      trial.acknowledge(engine.submitAll(tasks.next(size)).ids());
    }
  }

  private void startMissingWorkers() throws IOException {
    while (workers.size() < processes) {
      workers.add(trial.startWorker(SLOTS / processes));
    }
  }

  /**
   * Kills all workers at once and starts others. In between, nothing changes, and the list of
   * limits must show the tasks of the killed workers as in use, and no others.
   */
  void killAll() throws IOException, InterruptedException, SQLException {
    kill(processes);
    LimitSnapshot left = compareWithList();
    monitor.add(Instant.now(), left);
    assertThat(killedNames()).containsAll(left.tasksByWorker().keySet());
    limitsLeftInUse += left.held().size();
    startMissingWorkers();
  }

  private void kill(int victims) throws InterruptedException {
    for (int i = 0; i < victims; i++) {
      ChildProcess victim = workers.removeFirst();
      trial.kill(victim);
      killed.add(victim);
    }
  }

  /** Compares the tables with the list of limits while nothing changes. */
  private LimitSnapshot compareWithList() throws SQLException {
    long start = System.nanoTime();
    while (true) {
      LimitSnapshot before = LimitSnapshot.read(jdbcUrl);
      Map<String, Long> listed = listUsed();
      if (before.equals(LimitSnapshot.read(jdbcUrl))) {
        listed.values().removeIf(used -> used == 0);
        if (!listed.equals(before.held())) {
          monitor.add("the list shows %s in use, not %s".formatted(listed, before.held()));
        }
        return before;
      }
      // The database may still be working on the last statements of a killed process.
      assertThat(System.nanoTime() - start).as("wait for rest").isLessThan(TIMEOUT.toNanos());
      LockSupport.parkNanos(PAUSE);
    }
  }

  private Map<String, Long> listUsed() {
    Map<String, Long> used = new TreeMap<>();
    try (JdbcStore store = JdbcStore.open(jdbcUrl);
        Engine engine = Engine.on(store)) {
      for (LimitUsage usage : engine.limits().list("", MAX_LISTED)) {
        used.put(usage.key(), usage.used());
      }
    }
    return used;
  }

  /** Waits until no killed process holds a place. */
  void awaitPlacesFreed() throws SQLException {
    long start = System.nanoTime();
    Set<String> holding = LimitSnapshot.read(jdbcUrl).tasksByWorker().keySet();
    while (!Collections.disjoint(holding, killedNames())) {
      assertThat(System.nanoTime() - start)
          .as("time in which processes hold places: %s, killed: %s", holding, killedNames())
          .isLessThan(FREED_WITHIN.toNanos());
      LockSupport.parkNanos(PAUSE);
      holding = LimitSnapshot.read(jdbcUrl).tasksByWorker().keySet();
    }
  }

  private List<String> killedNames() {
    return killed.stream().map(ChildProcess::name).toList();
  }

  /** Kills one worker or all, again and again, while tasks are submitted. */
  void killAtRandom() throws IOException, InterruptedException, SQLException {
    Random random = trial.random();
    trial.start(workers);
    while (trial.isRunning()) {
      submit(MORE_TASKS);
      if (random.nextInt(4) > 0) {
        // Otherwise the kill could hit a process that is still opening its store.
        workers.getFirst().awaitReady();
      }
      trial.sleepUpTo(Duration.ofSeconds(1));
      if (random.nextInt(5) == 0) {
        killAll();
      } else {
        kill(1);
        startMissingWorkers();
      }
    }
  }

  /** Lets the workers run until every task has ended, and checks what is left. */
  void finishAndCheck() throws IOException, InterruptedException, SQLException {
    History history = trial.finish(workers);
    monitor.close();
    trial.check(history);
    LimitSnapshot end = compareWithList();
    LimitHistoryChecker checker = new LimitHistoryChecker(history);
    List<String> corrections = trial.corrections();
    assertSoftly(
        softly -> {
          softly
              .assertThat(first(notSucceeded(history)))
              .as("tasks that have not succeeded")
              .isEmpty();
          softly.assertThat(first(checker.violations())).as("handlers").isEmpty();
          softly.assertThat(first(monitor.violations())).as("tables").isEmpty();
          softly
              .assertThat(monitor.freedLate(history.runs(), FREED_WITHIN))
              .as("places of killed processes")
              .isEmpty();
          softly.assertThat(end.inUse()).as("in use at the end").isEmpty();
          softly.assertThat(corrections).as("corrections").isEmpty();
        });
    assertWasHard(history, checker);
  }

  /** Returns the first of very many lines. */
  private static List<String> first(List<String> lines) {
    return lines.subList(0, Math.min(MAX_SHOWN, lines.size()));
  }

  private static List<String> notSucceeded(History history) {
    return history.stored().stream()
        .map(StoredHistory::task)
        .filter(task -> task.state() != TaskState.SUCCESS)
        .map(task -> task.id() + " is " + task.state())
        .toList();
  }

  /** A trial in which no limit was reached, or no lease was lost, proves nothing. */
  private void assertWasHard(History history, LimitHistoryChecker checker) {
    assertThat(checker.limits()).hasSize(LimitedTasks.LIMITS);
    assertThat(listUsed()).hasSize(LimitedTasks.LIMITS);
    assertThat(checker.limits())
        .filteredOn(limit -> limit.rule().equals(LimitedTasks.TENANT.rule()))
        .anyMatch(limit -> checker.mostAtOnce(limit) == LimitedTasks.MAX_PER_TENANT);
    assertThat(history.countAttempts(AttemptOutcome.LOST)).isPositive();
    assertThat(history.executions()).anyMatch(execution -> execution.end() == null);
    assertThat(limitsLeftInUse).isPositive();
    assertThat(monitor.reads()).isGreaterThan(10);
  }

  @Override
  public void close() {
    monitor.close();
    trial.close();
  }
}
