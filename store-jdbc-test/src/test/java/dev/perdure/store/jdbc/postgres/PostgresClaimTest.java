// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.spi.ClaimRequest;
import dev.perdure.engine.spi.ClaimRequest.QueueCapacity;
import dev.perdure.engine.spi.LeaseOwner;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.task.ClaimResult;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskDefinition;
import dev.perdure.store.jdbc.JdbcStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** Which rows a claim locks, returns and leaves unchanged. */
final class PostgresClaimTest {

  private final PostgresScenario scenario = new PostgresScenario();

  @AfterEach
  void close() {
    scenario.close();
  }

  /** The first commit fails, which can happen under a stricter isolation level. */
  @Test
  void leases_of_a_rolled_back_try_are_discarded() throws SQLException {
    UUID first = scenario.store.reader().find(submitted()).orElseThrow().id();
    scenario.execute(
        "CREATE SEQUENCE commits",
        """
        CREATE FUNCTION fail_first() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF nextval('commits') = 1 THEN
            RAISE EXCEPTION 'planted' USING ERRCODE = '40001';
          END IF;
          RETURN NEW;
        END $$
        """,
        "CREATE CONSTRAINT TRIGGER planted AFTER UPDATE ON perdure_task_state "
            + "DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION fail_first()");

    try (JdbcStore store =
        JdbcStore.builder().dataSource(new Transactional(scenario)).clock(scenario.clock).open()) {
      List<Task> claimed = PostgresScenario.tasks(store.claim(scenario.request(1)));

      assertThat(claimed).extracting(Task::id).containsExactly(first);
      assertThat(claimed).containsExactly(scenario.find(claimed.getFirst()));
    }
  }

  private UUID submitted() {
    var submission = PostgresScenario.submission(1);
    scenario.store.submit(submission);
    return submission.tasks().getFirst().id();
  }

  /** A data source whose connections are not in auto-commit mode. */
  private static final class Transactional extends PGSimpleDataSource {

    private static final long serialVersionUID = 1;

    Transactional(PostgresScenario scenario) {
      setUrl(((PGSimpleDataSource) scenario.dataSource()).getUrl());
      setUser("postgres");
    }

    @Override
    public Connection getConnection() throws SQLException {
      Connection connection = super.getConnection();
      connection.setAutoCommit(false);
      return connection;
    }
  }

  @Test
  void a_claim_that_finds_nothing_writes_nothing() throws SQLException {
    assertThat(scenario.store.claim(scenario.request(10)).leases()).isEmpty();
    try (Connection connection = scenario.database.connect()) {
      assertThat(lockedNodes(connection)).isZero();

      submitted();
      assertThat(scenario.store.claim(scenario.request(10)).leases()).hasSize(1);
      assertThat(lockedNodes(connection)).as("the node's row was locked").isOne();
    }
  }

  private static long lockedNodes(Connection connection) throws SQLException {
    return PostgresScenario.number(
        connection, "SELECT count(*) FROM perdure_node WHERE CAST(xmax AS text) <> '0'");
  }

  @Test
  void a_claim_locks_no_more_rows_than_it_returns() throws SQLException {
    List<String> kinds = IntStream.range(0, 10).mapToObj(i -> "kind" + i).toList();
    for (String kind : kinds) {
      scenario.store.submit(PostgresScenario.submission(10, TaskDefinition.of(kind, "{}")));
    }
    List<QueueCapacity> queueCapacities =
        kinds.stream().map(kind -> new QueueCapacity(kind, 10)).toList();
    ClaimRequest request =
        new ClaimRequest(new LeaseOwner.NodeOwner(scenario.node), queueCapacities, 10, true);

    try (Connection connection = scenario.database.begin()) {
      ClaimResult claimed =
          new PostgresClaim(scenario.executor, scenario.rowMapper, request, false)
              .take(connection, 0)
              .claimed();

      assertThat(claimed.leases()).hasSize(10);
      String locked =
          "SELECT count(*) FROM perdure_task_state WHERE state = 'pending' AND CAST(xmax AS text) <> '0'";
      assertThat(PostgresScenario.number(connection, locked)).as("locked but not claimed").isZero();
    }
  }

  @Test
  void a_claim_returns_a_short_delay_for_tasks_locked_by_another_claim() throws SQLException {
    scenario.store.submit(PostgresScenario.submission(1));
    try (Connection other = scenario.database.begin()) {
      assertThat(scenario.claim(other, 1)).hasSize(1);

      ClaimResult result = scenario.store.claim(scenario.request(1));
      assertThat(result.leases()).isEmpty();
      assertThat(result.nextDue()).isBetween(Duration.ofMillis(1), Duration.ofMillis(50));
    }
  }

  @Test
  void blocked_readers_do_not_prevent_a_renewal() throws Exception {
    UUID task = submitted();
    try (JdbcStore store =
            JdbcStore.builder()
                .url(scenario.database.url())
                .clock(scenario.clock)
                .poolSize(1)
                .open();
        Connection slow = scenario.database.begin()) {
      slow.createStatement().execute("LOCK TABLE perdure_task");
      Future<?> reader = scenario.blocked(() -> store.reader().find(task));

      assertThat(renewed(store)).isTrue();
      slow.rollback();
      reader.get();
    }
  }

  private boolean renewed(TaskStore store) {
    return store.nodes().renew(scenario.node, PostgresScenario.VALIDITY).isPresent();
  }

  @Test
  void opens_with_a_retry_timeout_of_zero() {
    try (JdbcStore store =
        JdbcStore.builder().url(scenario.database.url()).retryTimeout(Duration.ZERO).open()) {
      assertThat(store.reader().find(PostgresScenario.id())).isEmpty();
    }
  }
}
