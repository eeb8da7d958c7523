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

/** What a claim locks, keeps and leaves alone. */
final class PostgresClaimTest {

  private final PostgresScenario postgresScenario = new PostgresScenario();

  @AfterEach
  void close() {
    postgresScenario.close();
  }

  /** Its first commit fails, as it may under a stricter isolation. */
  @Test
  void what_a_rolled_back_try_took_is_not_kept() throws SQLException {
    UUID first = postgresScenario.store.reader().find(submitted()).orElseThrow().id();
    postgresScenario.execute(
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
        JdbcStore.builder()
            .dataSource(new Transactional(postgresScenario))
            .clock(postgresScenario.clock)
            .open()) {
      List<Task> taken = PostgresScenario.tasks(store.claim(postgresScenario.request(1)));

      assertThat(taken).extracting(Task::id).containsExactly(first);
      assertThat(taken).containsExactly(postgresScenario.find(taken.getFirst()));
    }
  }

  private UUID submitted() {
    var submission = PostgresScenario.submission(1);
    postgresScenario.store.submit(submission);
    return submission.tasks().getFirst().id();
  }

  /** Connections of a data source that does not commit by itself. */
  private static final class Transactional extends PGSimpleDataSource {

    private static final long serialVersionUID = 1;

    Transactional(PostgresScenario postgresScenario) {
      setUrl(((PGSimpleDataSource) postgresScenario.dataSource()).getUrl());
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
  void a_claim_in_vain_writes_nothing() throws SQLException {
    assertThat(postgresScenario.store.claim(postgresScenario.request(10)).leases()).isEmpty();
    try (Connection connection = postgresScenario.database.connect()) {
      assertThat(touchedNodes(connection)).isZero();

      submitted();
      assertThat(postgresScenario.store.claim(postgresScenario.request(10)).leases()).hasSize(1);
      assertThat(touchedNodes(connection)).as("the node's row was locked").isOne();
    }
  }

  private static long touchedNodes(Connection connection) throws SQLException {
    return PostgresScenario.number(
        connection, "SELECT count(*) FROM perdure_node WHERE CAST(xmax AS text) <> '0'");
  }

  @Test
  void locks_no_more_rows_than_it_takes() throws SQLException {
    List<String> kinds = IntStream.range(0, 10).mapToObj(i -> "kind" + i).toList();
    for (String kind : kinds) {
      postgresScenario.store.submit(PostgresScenario.submission(10, TaskDefinition.of(kind, "{}")));
    }
    List<QueueCapacity> queueCapacities =
        kinds.stream().map(kind -> new QueueCapacity(kind, 10)).toList();
    ClaimRequest request =
        new ClaimRequest(
            new LeaseOwner.NodeOwner(postgresScenario.node), queueCapacities, 10, true);

    try (Connection connection = postgresScenario.database.begin()) {
      ClaimResult taken =
          new PostgresClaim(postgresScenario.session, postgresScenario.rows, request)
              .take(connection, 0)
              .claimed();

      assertThat(taken.leases()).hasSize(10);
      String locked =
          "SELECT count(*) FROM perdure_task_state WHERE state = 'pending' AND CAST(xmax AS text) <> '0'";
      assertThat(PostgresScenario.number(connection, locked)).as("locked and not taken").isZero();
    }
  }

  @Test
  void comes_back_soon_for_what_another_is_just_taking() throws SQLException {
    postgresScenario.store.submit(PostgresScenario.submission(1));
    try (Connection other = postgresScenario.database.begin()) {
      assertThat(postgresScenario.claim(other, 1)).hasSize(1);

      ClaimResult inVain = postgresScenario.store.claim(postgresScenario.request(1));
      assertThat(inVain.leases()).isEmpty();
      assertThat(inVain.nextDue()).isBetween(Duration.ofMillis(1), Duration.ofMillis(50));
    }
  }

  @Test
  void readers_that_hang_do_not_keep_a_node_from_renewing() throws Exception {
    UUID task = submitted();
    try (JdbcStore store =
            JdbcStore.builder()
                .url(postgresScenario.database.url())
                .clock(postgresScenario.clock)
                .poolSize(1)
                .open();
        Connection slow = postgresScenario.database.begin()) {
      slow.createStatement().execute("LOCK TABLE perdure_task");
      Future<?> reader = postgresScenario.blocked(() -> store.reader().find(task));

      assertThat(renewed(store)).isTrue();
      slow.rollback();
      reader.get();
    }
  }

  private boolean renewed(TaskStore store) {
    return store.nodes().renew(postgresScenario.node, PostgresScenario.VALIDITY).isPresent();
  }

  @Test
  void opens_without_patience() {
    try (JdbcStore store =
        JdbcStore.builder()
            .url(postgresScenario.database.url())
            .retryTimeout(Duration.ZERO)
            .open()) {
      assertThat(store.reader().find(PostgresScenario.id())).isEmpty();
    }
  }
}
