// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.spi.ClaimRequest.QueueCapacity;
import dev.perdure.engine.spi.LimitTables.LaterTasks;
import dev.perdure.engine.spi.LimitTables.LimitRow;
import dev.perdure.engine.spi.LimitTables.LimitUpdate;
import dev.perdure.engine.spi.LimitTables.OpenLimit;
import dev.perdure.engine.spi.LimitTables.OpenLimits;
import dev.perdure.engine.spi.LimitedClaim;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.task.Lease;
import dev.perdure.engine.task.Limit;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The steps of one claim of limited tasks. */
final class LimitClaimTest {

  private static final Duration SECOND = Duration.ofSeconds(1);

  private final PostgresScenario scenario = new PostgresScenario();

  @AfterEach
  void close() {
    scenario.close();
  }

  private PostgresLimitTables tables(Connection connection, UUID node) {
    return new PostgresLimitTables(
        scenario.executor,
        connection,
        0,
        List.of("a"),
        statement ->
            statement
                .flag("start", true)
                .text("worker", node.toString())
                .text("node", node.toString())
                .number("lease_ms", null));
  }

  private List<UUID> submit(int tasks, Limit... limits) {
    Submission submission =
        PostgresScenario.submission(tasks, LimitInterleavingTest.limited(limits));
    scenario.store.submit(submission);
    return submission.tasks().stream().map(Submission.NewTaskRow::id).toList();
  }

  /** Claims in a transaction of its own, and creates limits that are missing. */
  private List<UUID> claim(UUID node) throws SQLException {
    try (Connection connection = scenario.database.begin()) {
      PostgresLimitTables tables = tables(connection, node);
      List<Lease> leases =
          new LimitedClaim<>(tables, List.of(new QueueCapacity("a", 10)), 10).run().leases();
      connection.commit();
      tables.prepareNext();
      connection.commit();
      return leases.stream().map(lease -> lease.task().id()).toList();
    }
  }

  /** With two clocks it would be neither due nor due later, and no claim would look for it. */
  @Test
  void a_task_that_becomes_due_during_the_claim_is_not_forgotten() throws Exception {
    submit(1, Limit.concurrency(2));
    claim(scenario.node);
    claim(scenario.node);
    List<UUID> waiting = submit(1, Limit.concurrency(2));
    scenario.execute(
        """
        UPDATE perdure_task_state
        SET due_at = '%1$s', claim_at = '%1$s'
        WHERE id = '%2$s'
        """
            .formatted(scenario.clock.instant().plusMillis(500), waiting.getFirst()));
    try (Connection connection = scenario.database.begin()) {
      PostgresLimitTables tables = tables(connection, scenario.node);
      OpenLimits open = tables.open(10, 10);
      OpenLimit limit = open.limits().getFirst();
      assertThat(limit.first()).isEmpty();
      scenario.clock.advance(SECOND);

      Map<String, LaterTasks> later = tables.later(Map.of(limit.limit(), 0));
      assertThat(later.values()).extracting(LaterTasks::nextDue).doesNotContainNull();
    }
  }

  /** Otherwise its claims would lock and write the limit again and again. */
  @Test
  void a_limit_of_several_queues_is_not_opened_for_tasks_that_are_not_due() throws Exception {
    submit(1, Limit.concurrency(2));
    claim(scenario.node);
    claim(scenario.node);
    UUID waiting = submit(1, Limit.concurrency(2)).getFirst();
    scenario.execute(
        "DELETE FROM perdure_limit_event",
        "UPDATE perdure_limit SET queue = 'perdure:any', look_at = '%s'"
            .formatted(scenario.clock.instant()),
        "UPDATE perdure_task_state SET due_at = '%1$s', claim_at = '%1$s' WHERE id = '%2$s'"
            .formatted(scenario.clock.instant().plus(SECOND), waiting));
    try (Connection connection = scenario.database.begin()) {
      assertThat(tables(connection, scenario.node).open(10, 10).limits()).isEmpty();
      scenario.clock.advance(SECOND);
      assertThat(tables(connection, scenario.node).open(10, 10).limits()).hasSize(1);
    }
  }

  @Test
  void a_rate_counts_from_the_start_of_its_tasks() throws Exception {
    submit(2, Limit.rate(1, SECOND));
    claim(scenario.node);
    try (Connection connection = scenario.database.begin()) {
      PostgresLimitTables tables = tables(connection, scenario.node);
      OpenLimits open = tables.open(10, 10);
      OpenLimit limit = open.limits().getFirst();
      LimitRow row = limit.limit();
      scenario.clock.advance(SECOND);
      LimitRow chosen =
          new LimitRow(
              row.key(), row.queue(), row.rule(), row.used(), open.now().plus(SECOND), null);

      assertThat(
              tables.take(List.of(limit.first().getFirst()), List.of(new LimitUpdate(chosen, 1))))
          .hasSize(1);
      connection.commit();
      assertThat(nextStart()).isEqualTo(scenario.clock.instant().plus(SECOND));
    }
  }

  private Instant nextStart() {
    return Objects.requireNonNull(scenario.store.limits().list("", 10).getFirst().nextStart());
  }

  @Test
  void a_dead_node_uses_up_nothing() throws Exception {
    submit(2, Limit.rate(1, Duration.ofDays(1)));
    claim(PostgresScenario.id());
    assertThat(claim(PostgresScenario.id())).isEmpty();

    assertThat(scenario.store.limits().list("", 10).getFirst().used()).isZero();
    assertThat(claim(scenario.node)).as("the rate has not been used").hasSize(1);
  }

  @Test
  void a_locked_task_does_not_hold_up_those_behind_it() throws Exception {
    List<UUID> waiting = submit(3, Limit.concurrency(1));
    claim(PostgresScenario.id());
    try (Connection other = scenario.database.begin()) {
      try (Statement lock = other.createStatement()) {
        lock.execute(
            "SELECT id FROM perdure_task_state WHERE id = '%s' FOR UPDATE"
                .formatted(waiting.getFirst()));
      }

      assertThat(claim(scenario.node)).containsExactly(waiting.get(1));
    }
  }

  /** A claim that has begun before does not see the task at its other limit. */
  @Test
  void a_task_that_moves_to_another_limit_leaves_an_event_there() throws Exception {
    Limit[] both = {Limit.concurrency(5), Limit.concurrency(1).per("tenant")};
    submit(2, both);
    claim(scenario.node);
    assertThat(claim(scenario.node)).hasSize(1);

    try (Connection connection = scenario.database.begin();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                """
                SELECT count(*)
                FROM perdure_limit_event e
                JOIN perdure_task_state s ON s.limit_key = e.key AND s.state = 'pending'
                """)) {
      row.next();
      assertThat(row.getLong(1)).isOne();
    }
  }

  /** Only opening a limit applies its events. */
  @Test
  void a_limit_that_an_event_makes_smaller_is_not_decided_through_another_one() throws Exception {
    UUID task = submit(1, Limit.concurrency(2)).getFirst();
    claim(scenario.node);
    assertThat(claim(scenario.node)).containsExactly(task);
    String key = scenario.store.limits().list("", 10).getFirst().key();
    assertThat(isLockable(key, task)).isTrue();
    for (String event : List.of("-1, NULL, NULL", "0, 1, 1")) {
      scenario.execute(
          """
          INSERT INTO perdure_limit_event (shard, queue, key, created_at, freed, max, burst)
          VALUES (0, 'other', '%s', now(), %s)
          """
              .formatted(key, event));
      assertThat(isLockable(key, task)).as(event).isFalse();
      scenario.execute("DELETE FROM perdure_limit_event");
    }
  }

  private boolean isLockable(String key, UUID task) throws SQLException {
    try (Connection connection = scenario.database.begin()) {
      PostgresLimitTables tables = tables(connection, scenario.node);
      tables.open(10, 10);
      return tables.lock(Map.of(key, task)).containsKey(key);
    }
  }
}
