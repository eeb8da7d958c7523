// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.durable;

import dev.perdure.bench.durable.DurableBenchOptions.Scenario;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** Measures one round of one contender on a new database. */
final class BenchRound {

  private final ContenderSetup setup;
  private final Scenario scenario;
  private final int tasks;
  private final int submitters;
  private long began;
  private long submitted;
  private long started;
  private long ended;

  BenchRound(ContenderSetup setup, Scenario scenario, int tasks, int submitters) {
    this.setup = setup;
    this.scenario = scenario;
    this.tasks = Math.min(tasks, setup.maxTasks());
    this.submitters = submitters;
  }

  RoundResult run() throws SQLException, InterruptedException {
    try (BenchDatabase database = setup.databases().create()) {
      DurableContender contender = setup.factory().open(database);
      BenchDatabase.UsageMeter meter;
      try (contender) {
        database.checkpoint();
        meter = database.meter();
        measure(contender);
      }
      DurableContender.Counts counts = contender.counts();
      counts.requireExactly(setup.name(), tasks);
      DatabaseUsage usage = meter.read(tasks);
      return new RoundResult(
          setup.name(),
          scenario,
          tasks,
          submitted - began,
          ended - started,
          ended - began,
          counts,
          usage);
    }
  }

  private void measure(DurableContender contender) throws InterruptedException {
    if (scenario == Scenario.STEADY) {
      contender.start();
      started = System.nanoTime();
    }
    began = System.nanoTime();
    submitAll(contender);
    submitted = System.nanoTime();
    if (scenario == Scenario.BACKLOG) {
      started = System.nanoTime();
      contender.start();
    }
    contender.awaitEnded(tasks);
    ended = System.nanoTime();
  }

  private void submitAll(DurableContender contender) throws InterruptedException {
    AtomicInteger next = new AtomicInteger();
    List<Future<?>> parts = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(submitters)) {
      for (int i = 0; i < submitters; i++) {
        parts.add(
            threads.submit(
                () -> {
                  submitSome(contender, next);
                  return null;
                }));
      }
      for (Future<?> part : parts) {
        part.get();
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("Submitting failed: " + setup.name(), e.getCause());
    }
  }

  private void submitSome(DurableContender contender, AtomicInteger next) throws SQLException {
    int first = next.getAndAdd(setup.batch());
    while (first < tasks) {
      contender.submit(first, Math.min(setup.batch(), tasks - first));
      first = next.getAndAdd(setup.batch());
    }
  }
}
