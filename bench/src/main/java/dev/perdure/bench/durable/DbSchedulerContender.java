// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.durable;

import com.github.kagkarlsson.scheduler.CurrentlyExecuting;
import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerBuilder;
import com.github.kagkarlsson.scheduler.event.AbstractSchedulerListener;
import com.github.kagkarlsson.scheduler.serializer.Serializer;
import com.github.kagkarlsson.scheduler.task.ExecutionComplete;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * db-scheduler with one-time tasks, in its fastest configuration: a plain text payload that needs
 * no parsing, no index for the unused priority, the same autovacuum settings as Perdure's tables,
 * and one connection per thread.
 */
final class DbSchedulerContender implements DurableContender {

  private static final Duration POLL = Duration.ofMillis(50);

  private final BenchDatabase database;
  private final HikariDataSource pool;
  private final Scheduler scheduler;
  private final OneTimeTask<String> task;
  private final CompletionCounter completions = new CompletionCounter();
  private final AtomicInteger ran = new AtomicInteger();
  private final AtomicInteger failed = new AtomicInteger();

  /**
   * The settings of db-scheduler that the benchmark varies.
   *
   * @param threads threads that run tasks
   * @param lowerLimitFraction fetches again when fewer tasks than this fraction of the threads wait
   * @param upperLimitFraction fetches up to this multiple of the threads
   */
  record DbSchedulerSettings(int threads, double lowerLimitFraction, double upperLimitFraction) {

    @Override
    public String toString() {
      return "%d threads, fetch %.1f to %.1f × threads"
          .formatted(threads, lowerLimitFraction, upperLimitFraction);
    }
  }

  private DbSchedulerContender(
      BenchDatabase database,
      HikariConfig config,
      DbSchedulerSettings settings,
      boolean lockAndFetch) {
    this.database = database;
    this.pool = new HikariDataSource(config);
    this.task =
        Tasks.oneTime(KIND, String.class).execute((instance, context) -> ran.incrementAndGet());
    SchedulerBuilder builder =
        Scheduler.create(pool, task)
            .threads(settings.threads())
            .pollingInterval(POLL)
            .serializer(new TextSerializer())
            .addSchedulerListener(new CompletionListener());
    this.scheduler =
        (lockAndFetch
                ? builder.pollUsingLockAndFetch(
                    settings.lowerLimitFraction(), settings.upperLimitFraction())
                : builder.pollUsingFetch(
                    settings.lowerLimitFraction(), settings.upperLimitFraction()))
            .build();
  }

  static DbSchedulerContender onPostgres(BenchDatabase database, DbSchedulerSettings settings)
      throws SQLException {
    database.execute(
        """
        CREATE TABLE scheduled_tasks (
          task_name            text        NOT NULL,
          task_instance        text        NOT NULL,
          task_data            bytea,
          execution_time       timestamptz,
          picked               boolean     NOT NULL,
          picked_by            text,
          last_success         timestamptz,
          last_failure         timestamptz,
          consecutive_failures integer,
          last_heartbeat       timestamptz,
          version              bigint      NOT NULL,
          priority             smallint,
          state                text,
          PRIMARY KEY (task_name, task_instance)
        ) WITH (
          autovacuum_vacuum_scale_factor = 0.01,
          autovacuum_vacuum_threshold = 1000,
          autovacuum_vacuum_cost_delay = 0,
          autovacuum_analyze_scale_factor = 0.05
        );
        CREATE INDEX scheduled_tasks_due ON scheduled_tasks (execution_time);
        CREATE INDEX scheduled_tasks_beat ON scheduled_tasks (last_heartbeat);
        """);
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(database.jdbcUrl());
    config.setMaximumPoolSize(settings.threads() + 2);
    return new DbSchedulerContender(database, config, settings, true);
  }

  /** Uses one connection, as SQLite has one writer. Lock-and-fetch is not available on SQLite. */
  static DbSchedulerContender onSqlite(BenchDatabase database, DbSchedulerSettings settings)
      throws SQLException {
    database.execute(
        """
        CREATE TABLE scheduled_tasks (
          task_name            TEXT    NOT NULL,
          task_instance        TEXT    NOT NULL,
          task_data            BLOB,
          execution_time       TIMESTAMP,
          picked               BOOLEAN NOT NULL,
          picked_by            TEXT,
          last_success         TIMESTAMP,
          last_failure         TIMESTAMP,
          consecutive_failures INTEGER,
          last_heartbeat       TIMESTAMP,
          version              INTEGER NOT NULL,
          priority             INTEGER,
          state                TEXT,
          PRIMARY KEY (task_name, task_instance)
        )
        """);
    database.execute("CREATE INDEX scheduled_tasks_due ON scheduled_tasks (execution_time)");
    database.execute("CREATE INDEX scheduled_tasks_beat ON scheduled_tasks (last_heartbeat)");
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(database.jdbcUrl() + "?journal_mode=WAL&synchronous=FULL&busy_timeout=10000");
    config.setMaximumPoolSize(1);
    return new DbSchedulerContender(database, config, settings, false);
  }

  @Override
  public void submit(int first, int count) {
    List<TaskInstance<?>> instances =
        IntStream.range(first, first + count)
            .<TaskInstance<?>>mapToObj(
                number -> task.instance(Integer.toString(number), DurableContender.payload(number)))
            .toList();
    scheduler.scheduleBatch(instances, Instant.now());
  }

  @Override
  public void start() {
    scheduler.start();
  }

  @Override
  public void awaitEnded(int tasks) throws InterruptedException {
    completions.await(tasks);
  }

  /** Counts ended tasks with the listener, because db-scheduler deletes their rows. */
  @Override
  public Counts counts() throws SQLException {
    return new Counts(
        ran.get(),
        completions.ended(),
        database.queryLong("SELECT count(*) FROM scheduled_tasks") + failed.get());
  }

  @Override
  public void close() {
    scheduler.stop();
    pool.close();
  }

  /** db-scheduler calls it after it has deleted the row. */
  private final class CompletionListener extends AbstractSchedulerListener {

    @Override
    public void onExecutionStart(CurrentlyExecuting execution) {}

    @Override
    public void onExecutionComplete(ExecutionComplete execution) {
      if (execution.getResult() == ExecutionComplete.Result.OK) {
        completions.add(1);
      } else {
        failed.incrementAndGet();
      }
    }
  }

  private static final class TextSerializer implements Serializer {

    @Override
    public byte[] serialize(Object data) {
      return data.toString().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public <T> T deserialize(Class<T> type, byte[] data) {
      return type.cast(new String(data, StandardCharsets.UTF_8));
    }
  }
}
