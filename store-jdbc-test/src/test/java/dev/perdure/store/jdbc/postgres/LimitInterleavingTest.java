// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.query.LimitReader.LimitUsage;
import dev.perdure.engine.spi.ClaimRequest.QueueCapacity;
import dev.perdure.engine.spi.LimitRules;
import dev.perdure.engine.spi.LimitedClaim;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.task.Lease;
import dev.perdure.engine.task.Limit;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskDefinition;
import dev.perdure.engine.task.TaskState;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Claims, ends and submissions of tasks that share a limit, one of them held open. */
final class LimitInterleavingTest {

  private static final String KEY = "concurrency:a[]";

  private final PostgresScenario scenario = new PostgresScenario();

  @AfterEach
  void close() {
    scenario.close();
  }

  static TaskDefinition limited(Limit... limits) {
    TaskDefinition plain = TaskDefinition.of("a", "{}");
    return new TaskDefinition(
        "a",
        null,
        plain.payload(),
        null,
        null,
        null,
        null,
        null,
        null,
        0,
        null,
        null,
        null,
        null,
        null,
        LimitRules.write(List.of(limits), "a"),
        null);
  }

  private Submission submit(int tasks, Limit limit) {
    Submission submission = PostgresScenario.submission(tasks, limited(limit));
    scenario.store.submit(submission);
    return submission;
  }

  /** Makes the limit known, as if it had been used before. */
  private void useOnce(Limit limit) {
    submit(1, limit);
    scenario.store.apply(claim().stream().map(scenario::success).toList());
    assertThat(claim()).isEmpty();
  }

  /** Claims limited tasks on a connection whose transaction stays open. */
  private LimitedClaim.Claimed claimLimited(Connection connection) throws SQLException {
    PostgresLimitTables tables =
        new PostgresLimitTables(
            scenario.executor,
            connection,
            0,
            List.of("a"),
            statement ->
                statement
                    .flag("start", true)
                    .text("worker", scenario.node.toString())
                    .text("node", scenario.node.toString())
                    .number("lease_ms", null));
    return new LimitedClaim<>(tables, List.of(new QueueCapacity("a", 10)), 10).run();
  }

  private List<Task> claim() {
    return PostgresScenario.tasks(scenario.store.claim(scenario.request(10)));
  }

  private LimitUsage usage() {
    return scenario.store.limits().list("", 10).getFirst();
  }

  @Test
  void a_claim_beside_a_claim_of_the_same_limit_takes_nothing_and_does_not_wait() throws Exception {
    useOnce(Limit.concurrency(2));
    submit(4, Limit.concurrency(2));
    try (Connection first = scenario.database.begin()) {
      assertThat(claimLimited(first).leases()).hasSize(2);

      assertThat(claim()).as("does not wait for the open claim").isEmpty();
      first.commit();
    }
    assertThat(claim()).as("the limit is reached").isEmpty();
    assertThat(usage().used()).isEqualTo(2);
  }

  @Test
  void a_claim_that_is_rolled_back_leaves_its_room_to_the_next() throws Exception {
    useOnce(Limit.concurrency(2));
    submit(4, Limit.concurrency(2));
    try (Connection first = scenario.database.begin()) {
      assertThat(claimLimited(first).leases()).hasSize(2);
      first.rollback();
    }
    assertThat(claim()).hasSize(2);
  }

  @Test
  void claims_at_the_same_time_look_at_different_limits() throws Exception {
    submit(1, Limit.concurrency(1));
    scenario.store.submit(
        PostgresScenario.submission(1, limited(Limit.concurrency(1).per("tenant"))));
    claim();
    assertThat(scenario.store.limits().list("", 10)).hasSize(2);
    submit(1, Limit.concurrency(5));
    try (Connection first = scenario.database.begin()) {
      assertThat(claimLimited(first).leases()).hasSize(1);
      scenario.store.submit(
          PostgresScenario.submission(1, limited(Limit.concurrency(5).per("tenant"))));
      assertThat(claim()).as("of the other limit").hasSize(1);
      first.commit();
    }
  }

  @Test
  void an_end_does_not_wait_for_an_open_claim_and_its_room_is_used_by_the_next() throws Exception {
    submit(3, Limit.concurrency(1));
    Task running = claim().getFirst();
    submit(1, Limit.concurrency(1)); // So that there is an event for the open claim.
    try (Connection claiming = scenario.database.begin()) {
      assertThat(claimLimited(claiming).leases()).isEmpty();

      assertThat(scenario.store.apply(List.of(scenario.success(running))))
          .as("written while the row of the limit is locked")
          .allMatch(result -> result.applied() && result.limited());
      claiming.commit();
    }
    assertThat(claim()).hasSize(1);
    assertThat(usage().used()).isOne();
  }

  @Test
  void a_claim_does_not_wait_for_an_open_end_and_does_not_use_its_room() throws Exception {
    submit(3, Limit.concurrency(1));
    Task running = claim().getFirst();
    try (Connection ending = scenario.database.begin()) {
      scenario.apply(ending, scenario.success(running));

      assertThat(claim()).as("the end has not committed").isEmpty();
      ending.commit();
    }
    assertThat(claim()).hasSize(1);
  }

  @Test
  void an_end_that_is_rolled_back_frees_nothing() throws Exception {
    submit(3, Limit.concurrency(1));
    Task running = claim().getFirst();
    try (Connection ending = scenario.database.begin()) {
      scenario.apply(ending, scenario.success(running));
      ending.rollback();
    }
    assertThat(claim()).isEmpty();
    assertThat(scenario.find(running).state()).isEqualTo(TaskState.RUNNING);
  }

  @Test
  void two_ends_of_one_limit_do_not_wait_for_each_other() throws Exception {
    submit(4, Limit.concurrency(2));
    List<Task> running = claim();
    try (Connection one = scenario.database.begin();
        Connection other = scenario.database.begin()) {
      scenario.apply(one, scenario.success(running.getFirst()));
      scenario.apply(other, scenario.success(running.getLast()));
      other.commit();
      one.commit();
    }
    assertThat(claim()).hasSize(2);
  }

  @Test
  void a_submission_beside_the_end_of_the_last_task_is_claimed() throws Exception {
    submit(1, Limit.concurrency(1));
    Task running = claim().getFirst();
    Submission submission = PostgresScenario.submission(1, limited(Limit.concurrency(1)));
    try (Connection submitting = scenario.database.begin()) {
      new PostgresTransactionWriter(
              submitting,
              1,
              new PostgresSubmissionWriter(scenario.executor),
              new PostgresChangeWriter(scenario.executor, scenario.rowMapper))
          .submit(submission);
      scenario.store.apply(List.of(scenario.success(running)));
      assertThat(claim()).as("the submission has not committed").isEmpty();
      submitting.commit();
    }
    assertThat(claim()).hasSize(1);
  }

  @Test
  void submissions_of_a_new_limit_do_not_wait_for_each_other() throws Exception {
    try (Connection submitting = scenario.database.begin()) {
      PostgresSubmissionWriter writer = new PostgresSubmissionWriter(scenario.executor);
      writer.submitAtomically(
          submitting, PostgresScenario.submission(1, limited(Limit.concurrency(1))));
      submit(1, Limit.concurrency(1));
      assertThat(claim()).hasSize(1);
      submitting.commit();
    }
    assertThat(claim()).as("the limit is reached").isEmpty();
  }

  @Test
  void a_task_that_was_canceled_after_the_claim_has_seen_it_is_not_claimed() throws Exception {
    Submission submission = submit(2, Limit.concurrency(2));
    Task canceled = scenario.store.reader().find(submission.tasks().getFirst().id()).orElseThrow();
    try (Connection canceling = scenario.database.begin()) {
      scenario.apply(canceling, scenario.lifecycle.cancel(canceled));

      assertThat(claim()).as("the other one").hasSize(1).doesNotContain(canceled);
      canceling.commit();
    }
    assertThat(usage().used()).isOne();
    assertThat(claim()).isEmpty();
  }

  /** As when a parent ends, or when the task holds the dedupe key of a submission. */
  @Test
  void a_task_whose_row_another_transaction_holds_is_claimed_a_second_later() throws Exception {
    for (Limit limit : List.of(Limit.concurrency(2), Limit.rate(10, Duration.ofSeconds(1)))) {
      useOnce(limit);
      scenario.clock.advance(Duration.ofSeconds(1));
      UUID task = submit(1, limit).tasks().getFirst().id();
      try (Connection other = scenario.database.begin();
          Statement statement = other.createStatement()) {
        statement.execute(
            "SELECT FROM perdure_task_state WHERE id = '%s' FOR SHARE".formatted(task));

        assertThat(claim()).as("the row is locked").isEmpty();
        other.commit();
      }
      assertThat(claim()).as("no event says that it is free").isEmpty();
      scenario.clock.advance(Duration.ofSeconds(1));
      assertThat(claim()).extracting(Task::id).containsExactly(task);
    }
  }

  @Test
  void a_wrong_number_in_use_is_corrected() throws Exception {
    submit(3, Limit.concurrency(2));
    assertThat(claim()).hasSize(2);
    scenario.execute("UPDATE perdure_limit SET used = 7");

    assertThat(scenario.store.maintenance().sweepLimits("", 10).corrected()).isOne();
    assertThat(usage().used()).isEqualTo(2);
    assertThat(scenario.store.maintenance().sweepLimits("", 10).corrected()).isZero();
  }

  @Test
  void many_claims_at_once_never_exceed_a_limit() throws Exception {
    submit(400, Limit.concurrency(7));
    AtomicInteger ended = new AtomicInteger();
    List<Thread> threads =
        IntStream.range(0, 6)
            .mapToObj(i -> Thread.ofVirtual().start(() -> claimAndEnd(ended)))
            .toList();
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(ended).hasValue(400);
    assertThat(usage()).matches(usage -> usage.used() == 0 && usage.waiting() == 0);
  }

  private void claimAndEnd(AtomicInteger ended) {
    while (ended.get() < 400) {
      List<Task> claimed =
          scenario.store.claim(scenario.request(3)).leases().stream().map(Lease::task).toList();
      assertThat(running()).isLessThanOrEqualTo(7);
      scenario.store.apply(claimed.stream().map(scenario::success).toList());
      ended.addAndGet(claimed.size());
    }
  }

  private long running() {
    try (Connection connection = scenario.database.connect()) {
      return PostgresScenario.number(
          connection,
          "SELECT count(*) FROM perdure_task_state WHERE state = 'running' AND limit_key = '%s'"
              .formatted(KEY));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
