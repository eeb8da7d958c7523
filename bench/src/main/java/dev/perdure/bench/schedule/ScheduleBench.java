// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.schedule;

import dev.perdure.bench.durable.BenchDatabase;
import dev.perdure.bench.durable.MedianRange;
import dev.perdure.bench.durable.PostgresServer;
import dev.perdure.bench.durable.SqliteDatabase;
import dev.perdure.engine.Batch;
import dev.perdure.engine.Engine;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.ScheduleOptions;
import dev.perdure.engine.schedule.Trigger;
import dev.perdure.store.jdbc.JdbcStore;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;

/**
 * Measures schedules that are all due in the same second, on a node that runs: how long until the
 * last one has fired, and until the last of their tasks has run. Arguments: the number of rounds
 * (3), then the numbers of schedules (1000 10000).
 *
 * <p>Every round checks in the tables that each schedule has fired once and has one task.
 */
public final class ScheduleBench {

  private static final Duration POLL = Duration.ofMillis(10);
  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final int CREATORS = 32;

  private record Round(double fire, double run) {}

  private ScheduleBench() {}

  public static void main(String[] args) throws Exception {
    int rounds = args.length == 0 ? 3 : Integer.parseInt(args[0]);
    List<Integer> sizes =
        args.length < 2
            ? List.of(1_000, 10_000)
            : List.of(args).subList(1, args.length).stream().map(Integer::valueOf).toList();
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    try (PostgresServer server = PostgresServer.start()) {
      out.println("seconds: median (min–max) of " + rounds + " rounds; the first is not counted");
      out.printf("%-10s %9s  %-22s %s%n", "store", "schedules", "all fired", "all tasks run");
      for (int size : sizes) {
        measure(out, "PostgreSQL", size, rounds, server::create);
        measure(out, "SQLite", size, rounds, SqliteDatabase::create);
      }
    }
  }

  /** Creates an empty database. */
  private interface DatabaseSource {
    BenchDatabase create() throws SQLException;
  }

  private static void measure(
      PrintStream out, String store, int size, int rounds, DatabaseSource source) throws Exception {
    List<Round> counted = new ArrayList<>();
    for (int i = 0; i <= rounds; i++) {
      try (BenchDatabase database = source.create()) {
        Round round = round(size, database);
        if (i > 0) {
          counted.add(round);
        }
      }
    }
    out.printf(
        "%-10s %9d  %-22s %s%n",
        store,
        size,
        MedianRange.of(counted, Round::fire).format("%.2f"),
        MedianRange.of(counted, Round::run).format("%.2f"));
  }

  private static Round round(int size, BenchDatabase database) throws Exception {
    try (JdbcStore store = JdbcStore.open(database.url());
        Engine engine = Engine.builder(store).slots(2_000).build()) {
      engine.register("work", Integer.class, (payload, context) -> {});
      create(engine, size);
      database.checkpoint();
      engine.start();
      Instant due = Instant.now().plusSeconds(2).truncatedTo(ChronoUnit.SECONDS);
      String at = instant(database, due);
      database.execute("UPDATE perdure_schedule SET next_at = " + at + ", look_at = " + at);
      await(database, "SELECT count(*) FROM perdure_schedule WHERE look_at = " + at, 0);
      double fired = seconds(due);
      await(database, "SELECT count(*) FROM perdure_task_state WHERE state = 'success'", size);
      double run = seconds(due);
      check(database, "SELECT count(*) FROM perdure_firing WHERE outcome = 'fired'", size);
      check(database, "SELECT count(DISTINCT schedule) FROM perdure_firing", size);
      check(database, "SELECT count(*) FROM perdure_task_state", size);
      return new Round(fired, run);
    }
  }

  private static void create(Engine engine, int size) throws Exception {
    try (ExecutorService creators = Executors.newFixedThreadPool(CREATORS)) {
      List<Future<?>> created = new ArrayList<>();
      for (int i = 0; i < size; i++) {
        String name = "schedule " + i;
        created.add(
            creators.submit(
                () ->
                    engine
                        .schedules()
                        .create(
                            name,
                            Trigger.every(Duration.ofDays(1)),
                            Batch.of(NewTask.of("work", 1)),
                            ScheduleOptions.defaults())));
      }
      for (Future<?> one : created) {
        one.get();
      }
    }
  }

  /** The instant as the tables of the database keep it. */
  private static String instant(BenchDatabase database, Instant at) {
    return database instanceof SqliteDatabase
        ? Long.toString(at.toEpochMilli())
        : "to_timestamp(" + at.getEpochSecond() + ")";
  }

  private static void await(BenchDatabase database, String query, long expected)
      throws SQLException {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (database.queryLong(query) != expected) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException(
            "after %s the answer to '%s' is not %d".formatted(LIMIT, query, expected));
      }
      LockSupport.parkNanos(POLL.toNanos());
    }
  }

  private static void check(BenchDatabase database, String query, long expected)
      throws SQLException {
    long found = database.queryLong(query);
    if (found != expected) {
      throw new IllegalStateException("%s: %d, not %d".formatted(query, found, expected));
    }
  }

  private static double seconds(Instant since) {
    return Duration.between(since, Instant.now()).toMillis() / 1e3;
  }
}
