// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.TaskPlan;
import dev.perdure.engine.TaskPlanner;
import dev.perdure.engine.query.AttemptRow;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.AttemptDetails;
import dev.perdure.engine.task.DependencyCounts;
import dev.perdure.engine.task.HoldReason;
import dev.perdure.engine.task.LastResult;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.Progress;
import dev.perdure.engine.task.RetryCounters;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskDefinition;
import dev.perdure.engine.task.TaskGiveUpReason;
import dev.perdure.engine.task.TaskState;
import dev.perdure.engine.task.TaskTimes;
import dev.perdure.policy.Failure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The plan of a task agrees with what the engine decides. */
class TaskPlannerTest {

  private static final Instant START = SampleTask.SUBMITTED;
  private static final int SEEDS = 300;
  private static final int MAX_STEPS = 70;

  private final TaskLifecycle lifecycle = new TaskLifecycle(LossLimit.DEFAULT);

  /** A task that the real lifecycle moves, without a store. */
  private final class History {

    private final UUID id;
    private final @Nullable String policy;
    private final Failure failure;
    private final @Nullable Instant deadline;
    private final List<AttemptRow> newest = new ArrayList<>();
    private RetryCounters counters = RetryCounters.INITIAL;
    private Instant due = START;
    private @Nullable TaskGiveUpReason givenUp;

    History(int seed, @Nullable String policy, Failure failure, @Nullable Instant deadline) {
      this.id = new UUID(seed * 0x9E3779B97F4A7C15L, ~seed);
      this.policy = policy;
      this.failure = failure;
      this.deadline = deadline;
    }

    Task task(TaskState state) {
      TaskDefinition definition =
          new TaskDefinition(
              "a", null, "{}", null, policy, null, null, null, deadline, 0, null, null, null, null,
              null);
      return new Task(
          id,
          id,
          0,
          definition,
          state,
          Set.<HoldReason>of(),
          7,
          state.isLeased() ? "node" : null,
          null,
          null,
          counters,
          new TaskTimes(START, due, START, null, state.isTerminal() ? due : null, due),
          Progress.NONE,
          new LastResult(null, null, null, givenUp, null, null),
          DependencyCounts.NONE);
    }

    /** Fails at the instant at which it is due; returns whether it is retried. */
    boolean fail() {
      Instant now = due;
      Task running = task(TaskState.RUNNING);
      TaskChange change = lifecycle.settle(running, new Outcome.Failed(failure, null), now);
      AttemptDetails details = Objects.requireNonNull(change.attemptDetails());
      givenUp = change.giveUpReason();
      if (givenUp != null) {
        return false;
      }
      due = now.plus(Objects.requireNonNull(details.delay()));
      newest.addFirst(
          new AttemptRow(
              new Attempt(id, newest.size(), counters.attempt(), "node", now, now, details, due),
              false));
      counters = change.retryCounters();
      return true;
    }

    TaskPlan plan(TaskState state, Instant now) {
      return TaskPlanner.plan(task(state), newest.subList(0, Math.min(newest.size(), 20)), now);
    }
  }

  private static String policy(String backoff, String more) {
    return "{\"backoff\": {%s}%s}".formatted(backoff.replace('\'', '"'), more.replace('\'', '"'));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'type': 'fixed', 'delay': '5s'|, 'max_retries': 4, 'jitter': 'none'",
        "'type': 'fixed', 'delay': '5s'|, 'max_retries': 60",
        "'type': 'immediate'|, 'max_retries': 3",
        "'type': 'linear', 'initial': '2s', 'increment': '3s'|, 'max_retries': 9, 'jitter': 'full'",
        "'type': 'exponential', 'initial': '1s'|, 'max_retries': 12, 'max_delay': '1m', 'jitter': 'equal'",
        "'type': 'exponential', 'initial': '1s', 'multiplier': 1.7|, 'max_retries': 7, 'jitter': {'type': 'add', 'factor': 0.5}",
        "'type': 'exponential', 'initial': '1s'|, 'max_retries': 20, 'max_delay': '5m', 'jitter': 'decorrelated'",
        "'type': 'exponential', 'initial': '1s'|, 'max_retries': 20, 'jitter': 'decorrelated', 'expires_after': '90s'",
        "'type': 'linear', 'initial': '3s'|, 'max_retries': 20, 'jitter': 'decorrelated', 'expires_at': '2026-03-01T12:01:10.003Z'",
        "'type': 'schedule', 'delays': ['1s', '10s', '1m']|, 'max_retries': 6",
        "'type': 'ladder', 'steps': [{'count': 2, 'delay': '5s'}, {'count': 3, 'delay': '1m'}]|",
        "'type': 'ladder', 'steps': [{'count': 2, 'delay': '5s'}, {'count': 0, 'delay': '1h'}]|, 'max_retries': null",
        "'type': 'fixed', 'delay': '7s'|, 'max_retries': null, 'expires_after': '60s', 'jitter': {'type': 'spread', 'factor': 1}",
        "'type': 'fixed', 'delay': '9s'|, 'max_retries': null, 'expires_at': '2026-03-01T12:00:45Z', 'jitter': 'full'",
        "'type': 'fixed', 'delay': '2s'|, 'max_retries': 2, 'overrides': [{'on': ['503'], 'max_retries': 5, 'backoff': {'type': 'exponential', 'initial': '3s'}, 'jitter': 'full'}]",
        "'type': 'fixed', 'delay': '2s'|, 'max_retries': 5, 'retry_after': {'honor': true, 'cap': '30s'}",
        "'type': 'fixed', 'delay': '2s'|, 'max_retries': 5, 'retry_after': {'honor': false}",
        "'type': 'fixed', 'delay': '20s'|, 'max_retries': 5, 'expires_after': '70s'"
      })
  void every_delay_that_is_drawn_lies_in_the_plan(String text) {
    String[] parts = text.split("\\|", -1);
    String policy = policy(parts[0], parts[1]);
    for (Failure failure :
        List.of(
            Failure.http(503),
            Failure.http(503).withRetryAfter(Duration.ofSeconds(20)),
            Failure.http(503).withRetryAfter(Duration.ofMinutes(2)),
            Failure.explicit("busy").withRequestedDelay(Duration.ofMillis(2_100)))) {
      for (int seed = 0; seed < SEEDS; seed++) {
        assertPlanHolds(new History(seed, policy, failure, null), seed % 3);
      }
    }
  }

  @Test
  void a_deadline_ends_the_plan() {
    String policy = policy("'type': 'fixed', 'delay': '10s'", ", 'max_retries': 9");
    Instant deadline = START.plusSeconds(45);
    History history = new History(1, policy, Failure.http(503), deadline);
    history.fail();

    TaskPlan plan = history.plan(TaskState.RETRY_PENDING, START);

    assertThat(plan.coming())
        .hasSizeBetween(3, 7)
        .allSatisfy(one -> assertThat(one.latest()).isBeforeOrEqualTo(deadline));
    assertThat(plan.end()).isNotNull();
    assertThat(Objects.requireNonNull(plan.end()).reason()).isEqualTo("expired");
    assertThat(Objects.requireNonNull(plan.end()).latest()).isEqualTo(deadline);
    assertThat(plan.more()).isFalse();
  }

  /** Plans after some failures and follows the real decisions to the end. */
  private void assertPlanHolds(History history, int failuresBefore) {
    for (int i = 0; i <= failuresBefore; i++) {
      if (!history.fail()) {
        assertThat(history.plan(TaskState.FAILURE, history.due).coming()).isEmpty();
        return;
      }
    }
    TaskPlan plan = history.plan(TaskState.RETRY_PENDING, START);
    assertThat(plan.coming()).hasSizeBetween(1, TaskPlan.MAX_COMING);
    for (int step = 0; step < MAX_STEPS; step++) {
      if (step < plan.coming().size()) {
        TaskPlan.Coming coming = plan.coming().get(step);
        assertThat(coming.attempt()).isEqualTo(history.counters.attempt());
        assertThat(history.due)
            .as("%s of %s after %s", coming, history.policy, history.failure)
            .isBetween(coming.earliest(), Objects.requireNonNull(coming.latest()));
        assertThat(Objects.requireNonNull(coming.at()))
            .isBetween(coming.earliest(), coming.latest());
      } else {
        assertThat(plan.more()).as("a step beyond %s", plan).isTrue();
      }
      if (!history.fail()) {
        assertEnds(plan, history);
        return;
      }
    }
    assertThat(plan.more()).isTrue();
  }

  private static void assertEnds(TaskPlan plan, History history) {
    if (plan.more()) {
      assertThat(plan.end()).isNull();
      return;
    }
    TaskPlan.End end = Objects.requireNonNull(plan.end());
    assertThat(history.counters.attempt()).isLessThanOrEqualTo(end.afterAttempt());
    assertThat(history.due).as("%s", plan).isBetween(end.earliest(), end.latest());
    if (history.counters.attempt() == end.afterAttempt()) {
      assertThat(Objects.requireNonNull(history.givenUp).text()).isEqualTo(end.reason());
    }
  }

  @Test
  void says_why_in_words() {
    String policy =
        policy(
            "'type': 'exponential', 'initial': '10s'",
            ", 'max_retries': 5, 'retry_on': ['5xx'], 'max_delay': '5m'");
    History history = new History(7, policy, Failure.http(503), null);
    history.fail();
    history.fail();

    TaskPlan plan = history.plan(TaskState.RETRY_PENDING, START);

    assertThat(plan.why())
        .startsWith(
            "HTTP 503 matches 5xx in retry_on.",
            "Retry 2 of 5: 20 seconds, with jitter 15 seconds to 25 seconds.");
    assertThat(plan.why().get(2)).startsWith("It drew ").endsWith("No Retry-After changed that.");
    assertThat(plan.coming()).hasSize(4);
    assertThat(plan.coming().getFirst().drawn()).isTrue();
    assertThat(plan.coming().get(1).drawn()).isFalse();
  }

  @Test
  void says_when_a_delay_was_asked_for() {
    String policy = policy("'type': 'fixed', 'delay': '2s'", ", 'max_retries': 5");
    Failure failure = Failure.http(503).withRetryAfter(Duration.ofSeconds(20));
    History history = new History(7, policy, failure, null);
    history.fail();

    TaskPlan plan = history.plan(TaskState.RETRY_PENDING, START);

    assertThat(plan.why())
        .contains("A delay of 20 seconds was asked for instead, such as by Retry-After.");
    assertThat(plan.coming().get(1).earliest()).isEqualTo(START.plusSeconds(40));
  }

  @Test
  void other_states_have_a_plan_too() {
    String policy =
        policy("'type': 'fixed', 'delay': '2s'", ", 'max_retries': 2, 'jitter': 'none'");
    History history = new History(1, policy, Failure.http(503), null);

    TaskPlan pending = history.plan(TaskState.PENDING, START.minusSeconds(1));
    assertThat(pending.coming()).hasSize(1);
    assertThat(pending.coming().getFirst().at()).isEqualTo(START);
    assertThat(pending.more()).isTrue();
    assertThat(history.plan(TaskState.WAITING, START).coming().getFirst().at()).isNull();
    TaskPlan running = history.plan(TaskState.RUNNING, START);
    assertThat(running.coming()).extracting(TaskPlan.Coming::attempt).containsExactly(1L, 2L);
    assertThat(running.coming().getFirst().at()).isEqualTo(START.plusSeconds(2));
    TaskPlan done = history.plan(TaskState.SUCCESS, START);
    assertThat(done.coming()).isEmpty();
    assertThat(Objects.requireNonNull(done.end()).reason()).isEqualTo("succeeded");
    assertThat(Objects.requireNonNull(history.plan(TaskState.CANCELED, START).end()).reason())
        .isEqualTo("canceled");
  }
}
