// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.store.ClaimRequest;
import dev.perdure.engine.store.ClaimRequest.Room;
import dev.perdure.engine.store.Claimed;
import dev.perdure.engine.store.Holder;
import dev.perdure.engine.store.TaskStore;
import dev.perdure.engine.task.Definition;
import dev.perdure.engine.task.Task;
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
final class ClaimingTest {

  private final Scene scene = new Scene();

  @AfterEach
  void close() {
    scene.close();
  }

  /** Its first commit fails, as it may under a stricter isolation. */
  @Test
  void what_a_rolled_back_try_took_is_not_kept() throws SQLException {
    UUID first = scene.store.reader().find(submitted()).orElseThrow().id();
    scene.execute(
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
        JdbcStore.builder().dataSource(new Transactional(scene)).clock(scene.clock).open()) {
      List<Task> taken = Scene.tasks(store.claim(scene.request(1)));

      assertThat(taken).extracting(Task::id).containsExactly(first);
      assertThat(taken).containsExactly(scene.find(taken.getFirst()));
    }
  }

  private UUID submitted() {
    var submission = Scene.submission(1);
    scene.store.submit(submission);
    return submission.tasks().getFirst().id();
  }

  /** Connections of a data source that does not commit by itself. */
  private static final class Transactional extends PGSimpleDataSource {

    private static final long serialVersionUID = 1;

    Transactional(Scene scene) {
      setUrl(((PGSimpleDataSource) scene.dataSource()).getUrl());
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
    assertThat(scene.store.claim(scene.request(10)).leases()).isEmpty();
    try (Connection connection = scene.database.connect()) {
      assertThat(touchedNodes(connection)).isZero();

      submitted();
      assertThat(scene.store.claim(scene.request(10)).leases()).hasSize(1);
      assertThat(touchedNodes(connection)).as("the node's row was locked").isOne();
    }
  }

  private static long touchedNodes(Connection connection) throws SQLException {
    return Scene.number(
        connection, "SELECT count(*) FROM perdure_node WHERE CAST(xmax AS text) <> '0'");
  }

  @Test
  void locks_no_more_rows_than_it_takes() throws SQLException {
    List<String> kinds = IntStream.range(0, 10).mapToObj(i -> "kind" + i).toList();
    for (String kind : kinds) {
      scene.store.submit(Scene.submission(10, Definition.of(kind, "{}")));
    }
    List<Room> rooms = kinds.stream().map(kind -> new Room(kind, 10)).toList();
    ClaimRequest request = new ClaimRequest(new Holder.OfNode(scene.node), rooms, 10, true);

    try (Connection connection = scene.database.begin()) {
      Claimed taken =
          new Claiming(scene.session, scene.rows, request).take(connection, 0).claimed();

      assertThat(taken.leases()).hasSize(10);
      String locked =
          "SELECT count(*) FROM perdure_task_state WHERE state = 'pending' AND CAST(xmax AS text) <> '0'";
      assertThat(Scene.number(connection, locked)).as("locked and not taken").isZero();
    }
  }

  @Test
  void comes_back_soon_for_what_another_is_just_taking() throws SQLException {
    scene.store.submit(Scene.submission(1));
    try (Connection other = scene.database.begin()) {
      assertThat(scene.claim(other, 1)).hasSize(1);

      Claimed inVain = scene.store.claim(scene.request(1));
      assertThat(inVain.leases()).isEmpty();
      assertThat(inVain.nextDue()).isBetween(Duration.ofMillis(1), Duration.ofMillis(50));
    }
  }

  @Test
  void readers_that_hang_do_not_keep_a_node_from_renewing() throws Exception {
    UUID task = submitted();
    try (JdbcStore store =
            JdbcStore.builder().url(scene.database.url()).clock(scene.clock).poolSize(1).open();
        Connection slow = scene.database.begin()) {
      slow.createStatement().execute("LOCK TABLE perdure_task");
      Future<?> reader = scene.blocked(() -> store.reader().find(task));

      assertThat(renewed(store)).isTrue();
      slow.rollback();
      reader.get();
    }
  }

  private boolean renewed(TaskStore store) {
    return store.nodes().renew(scene.node, Scene.VALIDITY).isPresent();
  }

  @Test
  void opens_without_patience() {
    try (JdbcStore store =
        JdbcStore.builder().url(scene.database.url()).patience(Duration.ZERO).open()) {
      assertThat(store.reader().find(Scene.id())).isEmpty();
    }
  }
}
