// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.internal.LossLimit;
import dev.perdure.engine.internal.TaskLifecycle;
import dev.perdure.engine.spi.ClaimRequest;
import dev.perdure.engine.spi.ClaimRequest.QueueCapacity;
import dev.perdure.engine.spi.LeaseOwner;
import dev.perdure.engine.spi.NodeRegistry.RegisteredNode;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.ClaimResult;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskDefinition;
import dev.perdure.store.jdbc.JdbcStore;
import dev.perdure.store.jdbc.sql.StoreSettings;
import dev.perdure.store.jdbc.sql.TaskRowMapper;
import dev.perdure.testing.FakeClock;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A store on its own database, and its operations on connections that a test controls step by step.
 */
final class PostgresScenario implements AutoCloseable {

  static final Duration VALIDITY = Duration.ofSeconds(25);

  final TestPostgres database = new TestPostgres();
  final FakeClock clock = new FakeClock();
  final JdbcStore store = JdbcStore.builder().url(database.url()).clock(clock).open();
  final PostgresExecutor executor = executor(clock);
  final TaskRowMapper rowMapper = new TaskRowMapper(new PostgresColumnReader());
  final TaskLifecycle lifecycle = new TaskLifecycle(LossLimit.DEFAULT);
  final UUID node = id();
  private final ExecutorService others = Executors.newVirtualThreadPerTaskExecutor();
  private static long ids;

  PostgresScenario() {
    store.nodes().join(new RegisteredNode(node, "first", List.of("a")), VALIDITY);
  }

  /** Creates an executor whose clock can differ from the store's. */
  PostgresExecutor executor(FakeClock executorClock) {
    Duration limit = Duration.ofSeconds(20);
    return new PostgresExecutor(
        dataSource(), new StoreSettings(1, executorClock, 1, limit, Duration.ofSeconds(5)));
  }

  DataSource dataSource() {
    PGSimpleDataSource dataSource = new PGSimpleDataSource();
    dataSource.setUrl(database.url().replace("postgres://postgres@", "jdbc:postgresql://"));
    dataSource.setUser("postgres");
    return dataSource;
  }

  /** Returns increasing ids of shard 0. */
  static synchronized UUID id() {
    ids++;
    return new UUID((ids << 16) | 0x7000, (1L << 63) | (ids << 12));
  }

  static Submission submission(int tasks) {
    return submission(tasks, TaskDefinition.of("a", "{}"));
  }

  static Submission submission(int tasks, TaskDefinition definition) {
    return new Submission(
        id(),
        IntStream.range(0, tasks)
            .mapToObj(i -> new NewTaskRow(id(), definition, DueTime.now()))
            .toList());
  }

  ClaimRequest request(int limit) {
    return new ClaimRequest(
        new LeaseOwner.NodeOwner(node), List.of(new QueueCapacity("a", limit)), limit, true);
  }

  /** Submits tasks and claims all of them. */
  List<Task> running(int tasks) {
    return running(tasks, TaskDefinition.of("a", "{}"));
  }

  List<Task> running(int tasks, TaskDefinition definition) {
    store.submit(submission(tasks, definition));
    return tasks(store.claim(request(tasks)));
  }

  static List<Task> tasks(ClaimResult claimResult) {
    return claimResult.leases().stream().map(lease -> lease.task()).toList();
  }

  TaskChange success(Task task) {
    return lifecycle.settle(task, new Outcome.Succeeded(null), clock.instant());
  }

  Task find(Task task) {
    return store.reader().find(task.id()).orElseThrow();
  }

  List<WriteResult> apply(Connection connection, TaskChange change) throws SQLException {
    return new PostgresChangeWriter(executor, rowMapper)
        .apply(connection, 0, List.of(change), false);
  }

  List<Task> claim(Connection connection, int limit) throws SQLException {
    return tasks(
        new PostgresClaim(executor, rowMapper, request(limit), false)
            .take(connection, 0)
            .claimed());
  }

  /** Runs the action on another thread and returns when it waits for a lock, as others may do. */
  <T> Future<T> blocked(Callable<T> action) throws SQLException {
    try (Connection connection = database.connect()) {
      long before = waiting(connection);
      Future<T> future = others.submit(action);
      long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
      while (waiting(connection) == before) {
        LockSupport.parkNanos(1_000_000);
        assertThat(future.isDone()).as("the action did not wait").isFalse();
        assertThat(System.nanoTime()).as("the action never waited for a lock").isLessThan(end);
      }
      return future;
    }
  }

  /** Closes the store and counts the deadlocks: a connection reports them when it ends. */
  long deadlocks() throws SQLException {
    store.close();
    try (Connection connection = database.connect()) {
      long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
      while (otherConnections(connection) > 0 && System.nanoTime() < end) {
        LockSupport.parkNanos(1_000_000);
      }
      return number(
          connection, "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()");
    }
  }

  private static long otherConnections(Connection connection) throws SQLException {
    return number(
        connection,
        """
        SELECT count(*)
        FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()
        """);
  }

  private static long waiting(Connection connection) throws SQLException {
    return number(
        connection,
        """
        SELECT count(*)
        FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
        WHERE NOT l.granted AND a.datname = current_database()
        """);
  }

  static long number(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }

  void execute(String... statements) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  @Override
  public void close() {
    others.shutdownNow();
    store.close();
    database.close();
  }
}
