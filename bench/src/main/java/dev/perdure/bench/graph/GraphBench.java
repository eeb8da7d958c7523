// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.graph;

import dev.perdure.bench.durable.BenchDatabase;
import dev.perdure.bench.durable.MedianRange;
import dev.perdure.bench.durable.PostgresServer;
import dev.perdure.bench.durable.SqliteDatabase;
import dev.perdure.bench.plot.LogPlot;
import dev.perdure.engine.Batch;
import dev.perdure.engine.Engine;
import dev.perdure.engine.EngineListener;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.store.jdbc.JdbcStore;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Measures graphs of tasks: how long a submission takes, and how long it takes from the end of the
 * last task that depends on no other until no task waits any more. Arguments: the number of rounds
 * (3), then the sizes (1000 10000 100000); a first argument that ends in .svg is the file of a
 * plot.
 *
 * <p>Every round checks in the tables that all tasks are in the state they should be in.
 */
public final class GraphBench {

  private static final Duration POLL = Duration.ofMillis(10);
  private static final Duration LIMIT = Duration.ofMinutes(10);

  private record Round(double submit, double propagate) {}

  private GraphBench() {}

  public static void main(String[] args) throws Exception {
    List<String> arguments = new ArrayList<>(List.of(args));
    String plot =
        !arguments.isEmpty() && arguments.getFirst().endsWith(".svg")
            ? arguments.removeFirst()
            : null;
    int rounds = arguments.isEmpty() ? 3 : Integer.parseInt(arguments.removeFirst());
    List<Integer> sizes =
        arguments.isEmpty()
            ? List.of(1_000, 10_000, 100_000)
            : arguments.stream().map(Integer::valueOf).toList();
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    List<LogPlot.Series> series = new ArrayList<>();
    try (PostgresServer server = PostgresServer.start()) {
      out.println("seconds: median (min–max) of " + rounds + " rounds; the first is not counted");
      out.printf("%-12s %-10s %8s  %-22s %s%n", "graph", "store", "tasks", "submit", "propagate");
      for (GraphShape shape : GraphShape.values()) {
        series.add(measure(out, shape, "PostgreSQL", sizes, rounds, server::create));
        series.add(measure(out, shape, "SQLite", sizes, rounds, SqliteDatabase::create));
      }
    }
    if (plot != null) {
      new LogPlot("Time until no task waits for another one", "tasks", "seconds", series)
          .write(Path.of(plot));
    }
  }

  /** Creates an empty database. */
  private interface DatabaseSource {
    BenchDatabase create() throws SQLException;
  }

  private static LogPlot.Series measure(
      PrintStream out,
      GraphShape shape,
      String store,
      List<Integer> sizes,
      int rounds,
      DatabaseSource source)
      throws SQLException {
    String name = shape.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    List<LogPlot.Point> points = new ArrayList<>();
    for (int size : sizes) {
      List<Round> counted = new ArrayList<>();
      for (int i = 0; i <= rounds; i++) {
        try (BenchDatabase database = source.create()) {
          Round round = round(shape, size, database);
          if (i > 0) {
            counted.add(round);
          }
        }
      }
      MedianRange propagate = MedianRange.of(counted, Round::propagate);
      points.add(new LogPlot.Point(size, propagate.median(), propagate.min(), propagate.max()));
      out.printf(
          "%-12s %-10s %8d  %-22s %s%n",
          name,
          store,
          size,
          MedianRange.of(counted, Round::submit).format("%.2f"),
          propagate.format("%.2f"));
    }
    return new LogPlot.Series(name + ", " + store, points);
  }

  private static Round round(GraphShape shape, int size, BenchDatabase database)
      throws SQLException {
    AtomicLong ended = new AtomicLong();
    AtomicLong lastEnd = new AtomicLong();
    long first = shape.firstTasks(size);
    EngineListener counter =
        new EngineListener() {
          @Override
          public void onChanged(Task before, TaskChange change, Duration ran) {
            if (change.attemptDetails() != null && ended.incrementAndGet() == first) {
              lastEnd.set(System.nanoTime());
            }
          }
        };
    try (JdbcStore store = JdbcStore.open(database.url());
        Engine engine = Engine.builder(store).slots(2_000).listener(counter).build()) {
      engine.register(GraphShape.WORKING, Integer.class, (payload, context) -> {});
      engine.register(
          GraphShape.FAILING,
          Integer.class,
          (payload, context) -> {
            throw context.permanent("to measure");
          });
      long start = System.nanoTime();
      engine.submit(Batch.of(shape.tasks(size)));
      double submit = seconds(System.nanoTime() - start);
      engine.start();
      long deadline = System.nanoTime() + LIMIT.toNanos();
      while (count(database, "state = 'waiting'") > 0) {
        if (System.nanoTime() > deadline) {
          throw new IllegalStateException(shape + " of " + size + " does not end");
        }
        LockSupport.parkNanos(POLL.toNanos());
      }
      double propagate = seconds(System.nanoTime() - lastEnd.get());
      check(shape, size, database);
      return new Round(submit, propagate);
    }
  }

  private static void check(GraphShape shape, int size, BenchDatabase database)
      throws SQLException {
    String expected =
        switch (shape) {
          case CHAIN_FAILS -> "state = 'failure'";
          case FAN_OUT, FAN_IN -> "state = 'success' OR (state = 'pending' AND kind = 'idle')";
        };
    long found = count(database, expected);
    if (found != size) {
      throw new IllegalStateException(
          "%d of %d tasks are as they should be".formatted(found, size));
    }
  }

  private static long count(BenchDatabase database, String condition) throws SQLException {
    return database.queryLong("SELECT count(*) FROM perdure_task_state WHERE " + condition);
  }

  private static double seconds(long nanos) {
    return nanos / 1e9;
  }
}
