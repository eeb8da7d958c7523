// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.durable;

import dev.perdure.bench.durable.Options.Scenario;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** One round of one subject, on a database of its own. */
final class Round {

  private final Subject subject;
  private final Scenario scenario;
  private final int tasks;
  private final int submitters;
  private long began;
  private long submitted;
  private long started;
  private long ended;

  Round(Subject subject, Scenario scenario, int tasks, int submitters) {
    this.subject = subject;
    this.scenario = scenario;
    this.tasks = Math.min(tasks, subject.most());
    this.submitters = submitters;
  }

  Figures run() throws SQLException, InterruptedException {
    try (Database database = subject.databases().create()) {
      Contender contender = subject.opening().open(database);
      Database.Meter meter;
      try (contender) {
        database.settleDown();
        meter = database.meter();
        go(contender);
      }
      Contender.Counts counts = contender.counts();
      counts.requireExactly(subject.name(), tasks);
      Usage usage = meter.read(tasks);
      return new Figures(
          subject.name(),
          scenario,
          tasks,
          submitted - began,
          ended - started,
          ended - began,
          counts,
          usage);
    }
  }

  private void go(Contender contender) throws InterruptedException {
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

  private void submitAll(Contender contender) throws InterruptedException {
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
      throw new IllegalStateException(subject.name() + " could not submit", e.getCause());
    }
  }

  private void submitSome(Contender contender, AtomicInteger next) throws SQLException {
    int first = next.getAndAdd(subject.batch());
    while (first < tasks) {
      contender.submit(first, Math.min(subject.batch(), tasks - first));
      first = next.getAndAdd(subject.batch());
    }
  }
}
