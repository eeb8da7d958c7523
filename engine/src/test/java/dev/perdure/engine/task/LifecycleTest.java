// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.policy.Decision;
import dev.perdure.policy.Facts;
import dev.perdure.policy.Failure;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.policy.json.PolicyJson;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class LifecycleTest {

  private static final UUID ID = Sample.ID;
  private static final Instant SUBMITTED = Sample.SUBMITTED;
  private static final Instant NOW = SUBMITTED.plusSeconds(100);
  private static final Failure BROKEN = Failure.explicit("broken").withMessage("it broke");
  private static final String SPREAD =
      """
      {"max_retries": 3, "backoff": {"type": "exponential", "initial": "10s"}, "jitter": "full"}\
      """;

  private final Lifecycle lifecycle = new Lifecycle(LossLimit.DEFAULT);

  private static Task task(TaskState state, @Nullable String policy, Counting counting) {
    return Sample.task(state, policy, counting);
  }

  private static Task task(TaskState state) {
    return task(state, SPREAD, Counting.FRESH);
  }

  private static Task holding(Task task, int hold) {
    return new Task(
        task.id(),
        task.batch(),
        task.run(),
        task.definition(),
        task.state(),
        hold,
        Custody.of(task.epoch(), task.worker()),
        task.counting(),
        task.times(),
        task.progress(),
        task.ending());
  }

  private static Outcome failed(Failure failure) {
    return new Outcome.Failed(failure, "at x");
  }

  private static AttemptNote note(Change change) {
    return Objects.requireNonNull(change.note());
  }

  @Nested
  class AnEndedAttempt {

    @Test
    void that_succeeded_keeps_its_result() {
      Change change = lifecycle.settle(task(TaskState.RUNNING), new Outcome.Succeeded("[1]"), NOW);

      assertThat(change.to()).isEqualTo(TaskState.SUCCESS);
      assertThat(change.guard()).isEqualTo(new Guard(TaskState.RUNNING, 7, 0, "node", false));
      assertThat(change.event()).isEqualTo(TaskEvent.SUCCEED);
      assertThat(change.due()).isEqualTo(Due.unchanged());
      assertThat(change.counting()).isEqualTo(Counting.FRESH);
      assertThat(note(change).outcome()).isEqualTo(AttemptOutcome.SUCCESS);
      assertThat(note(change).result()).isEqualTo("[1]");
    }

    @Test
    void that_failed_waits_as_long_as_its_policy_says_for_the_same_draw() {
      RetryPolicy policy = PolicyJson.read(SPREAD);
      for (long attempt = 0; attempt < 3; attempt++) {
        Counting counting = new Counting(attempt, 2, 0, null);
        Change change =
            lifecycle.settle(task(TaskState.RUNNING, SPREAD, counting), failed(BROKEN), NOW);

        Facts facts = new Facts(attempt, Duration.ofSeconds(100), NOW, null);
        Decision.Retry retry = (Decision.Retry) policy.decide(facts, BROKEN, Draws.of(ID, attempt));
        assertThat(change.to()).isEqualTo(TaskState.RETRY_PENDING);
        assertThat(change.due()).isEqualTo(Due.in(retry.delay()));
        assertThat(change.counting()).isEqualTo(new Counting(attempt + 1, 0, 0, retry.delay()));
        assertThat(note(change)).isEqualTo(AttemptNote.failure(BROKEN, "at x", retry.delay()));
      }
    }

    @Test
    void is_decided_the_same_way_each_time() {
      Change once = lifecycle.settle(task(TaskState.RUNNING), failed(BROKEN), NOW);
      Change again =
          new Lifecycle(LossLimit.DEFAULT).settle(task(TaskState.RUNNING), failed(BROKEN), NOW);

      assertThat(again).isEqualTo(once);
    }

    @Test
    void that_was_the_last_is_a_failure() {
      Counting last = new Counting(3, 0, 0, Duration.ofSeconds(40));
      Change change = lifecycle.settle(task(TaskState.RUNNING, SPREAD, last), failed(BROKEN), NOW);

      assertThat(change.event()).isEqualTo(TaskEvent.FAIL_FOR_GOOD);
      assertThat(change.to()).isEqualTo(TaskState.FAILURE);
      assertThat(change.reason()).isEqualTo(EndReason.EXHAUSTED);
      assertThat(change.counting()).isEqualTo(last);
      assertThat(note(change).delay()).isNull();
      assertThat(note(change).failureKind()).isEqualTo("explicit");
      assertThat(note(change).code()).isEqualTo("broken");
      assertThat(note(change).message()).isEqualTo("it broke");
    }

    @Test
    void without_a_policy_is_not_retried() {
      Change change =
          lifecycle.settle(task(TaskState.RUNNING, null, Counting.FRESH), failed(BROKEN), NOW);

      assertThat(change.reason()).isEqualTo(EndReason.NO_POLICY);
    }

    @Test
    void that_failed_for_good_is_not_retried() {
      Change change =
          lifecycle.settle(task(TaskState.RUNNING), failed(BROKEN.withPermanent(true)), NOW);

      assertThat(change.reason()).isEqualTo(EndReason.NOT_RETRYABLE);
    }

    @Test
    void of_a_task_whose_policy_cannot_be_read_is_parked() {
      Change change =
          lifecycle.settle(
              task(TaskState.RUNNING, "{\"backof\": 1}", Counting.FRESH), failed(BROKEN), NOW);

      assertThat(change.event()).isEqualTo(TaskEvent.HAND_BACK);
      assertThat(change.to()).isEqualTo(TaskState.PENDING);
      assertThat(change.holding().set()).isEqualTo(Hold.PARKED);
      assertThat(change.counting()).isEqualTo(Counting.FRESH);
      assertThat(note(change).message()).startsWith("its policy cannot be read: ");
    }

    @Test
    void that_is_snoozed_is_due_later_and_uses_no_retry() {
      Duration delay = Duration.ofHours(1);
      Change change = lifecycle.settle(task(TaskState.RUNNING), new Outcome.Snoozed(delay), NOW);

      assertThat(change.to()).isEqualTo(TaskState.PENDING);
      assertThat(change.due()).isEqualTo(Due.in(delay));
      assertThat(change.counting()).isEqualTo(Counting.FRESH);
      assertThat(note(change).outcome()).isEqualTo(AttemptOutcome.SNOOZED);
      assertThat(note(change).delay()).isEqualTo(delay);
    }

    @Test
    void that_is_handed_back_uses_nothing() {
      Counting counting = new Counting(2, 3, 1, Duration.ofSeconds(5));
      Change change =
          lifecycle.settle(
              task(TaskState.CLAIMED, SPREAD, counting), new Outcome.HandedBack(), NOW);

      assertThat(change.to()).isEqualTo(TaskState.PENDING);
      assertThat(change.due()).isEqualTo(Due.unchanged());
      assertThat(change.counting()).isEqualTo(counting);
      assertThat(change.holding().set()).isZero();
    }

    @Test
    void that_is_parked_says_why() {
      Change change =
          lifecycle.settle(task(TaskState.RUNNING), new Outcome.Parked("no class"), NOW);

      assertThat(change.to()).isEqualTo(TaskState.PENDING);
      assertThat(change.holding().set()).isEqualTo(Hold.PARKED);
      assertThat(note(change)).isEqualTo(AttemptNote.of(AttemptOutcome.HANDED_BACK, "no class"));
    }
  }

  @Nested
  class TheExpiry {

    private static final String EXPIRING =
        """
        {"max_retries": null, "backoff": {"type": "fixed", "delay": "30s"}, "jitter": "none",
         "expires_after": "2m"}\
        """;

    @Test
    void counts_from_when_the_task_was_first_due() {
      Task task = task(TaskState.RUNNING, EXPIRING, new Counting(9, 0, 0, null));
      Instant last = SUBMITTED.plusSeconds(90);

      assertThat(lifecycle.settle(task, failed(BROKEN), last).to())
          .isEqualTo(TaskState.RETRY_PENDING);
      assertThat(lifecycle.settle(task, failed(BROKEN), last.plusMillis(1)).reason())
          .isEqualTo(EndReason.EXPIRED);
    }

    @Test
    void is_not_reached_by_a_clock_that_is_behind() {
      Task task = task(TaskState.RUNNING, EXPIRING, Counting.FRESH);

      assertThat(lifecycle.settle(task, failed(BROKEN), SUBMITTED.minusSeconds(5)).due())
          .isEqualTo(Due.in(Duration.ofSeconds(30)));
    }
  }

  @Nested
  class Silence {

    @Test
    void is_a_failure_that_is_checked_once_more_when_written() {
      Change change = lifecycle.timeOut(task(TaskState.RUNNING), NOW);

      assertThat(change.event()).isEqualTo(TaskEvent.TIME_OUT_AND_RETRY);
      assertThat(change.guard()).isEqualTo(new Guard(TaskState.RUNNING, 7, 0, "node", true));
      assertThat(change.to()).isEqualTo(TaskState.RETRY_PENDING);
      assertThat(note(change).failureKind()).isEqualTo("timeout");
      assertThat(note(change).message()).isEqualTo("no sign of life for 1m");
    }

    @Test
    void of_a_task_whose_policy_cannot_be_read_is_checked_once_more_too() {
      Change change =
          lifecycle.timeOut(task(TaskState.RUNNING, "{\"backof\": 1}", Counting.FRESH), NOW);

      assertThat(change.event()).isEqualTo(TaskEvent.HAND_BACK);
      assertThat(change.holding().set()).isEqualTo(Hold.PARKED);
      assertThat(change.guard().inactive()).isTrue();
    }

    @Test
    void ends_a_task_that_has_no_retries() {
      Change change = lifecycle.timeOut(task(TaskState.RUNNING, null, Counting.FRESH), NOW);

      assertThat(change.event()).isEqualTo(TaskEvent.TIME_OUT_FOR_GOOD);
      assertThat(change.guard().inactive()).isTrue();
      assertThat(change.to()).isEqualTo(TaskState.FAILURE);
    }
  }

  @Nested
  class ALoss {

    @Test
    void before_the_start_costs_nothing() {
      Change change = lifecycle.lose(task(TaskState.CLAIMED));

      assertThat(change.to()).isEqualTo(TaskState.PENDING);
      assertThat(change.counting()).isEqualTo(Counting.FRESH);
      assertThat(change.due()).isEqualTo(Due.unchanged());
      assertThat(note(change).message()).isEqualTo("its worker died: node");
    }

    @Test
    void waits_twice_as_long_each_time_up_to_the_fifth() {
      for (int before = 0; before < 5; before++) {
        Counting counting = new Counting(1, before, 0, Duration.ofSeconds(9));
        Change change = lifecycle.lose(task(TaskState.RUNNING, SPREAD, counting));

        assertThat(change.to()).isEqualTo(TaskState.PENDING);
        assertThat(change.counting())
            .isEqualTo(new Counting(1, before + 1, 0, Duration.ofSeconds(9)));
        assertThat(change.due()).isEqualTo(Due.in(Duration.ofSeconds(2L << before)));
        assertThat(note(change).outcome()).isEqualTo(AttemptOutcome.LOST);
      }
    }

    @Test
    void is_a_failure_the_sixth_time() {
      Change change = lifecycle.lose(task(TaskState.RUNNING, SPREAD, new Counting(0, 5, 0, null)));

      assertThat(change.event()).isEqualTo(TaskEvent.LOSE_FOR_GOOD);
      assertThat(change.to()).isEqualTo(TaskState.FAILURE);
      assertThat(change.reason()).isEqualTo(EndReason.LOST);
      assertThat(change.counting().losses()).isEqualTo(6);
    }

    @Test
    void never_waits_much_longer_than_an_hour() {
      Lifecycle patient = new Lifecycle(new LossLimit(1_000));
      Change change = patient.lose(task(TaskState.RUNNING, SPREAD, new Counting(0, 99, 0, null)));

      assertThat(change.due()).isEqualTo(Due.in(Duration.ofSeconds(4096)));
    }
  }

  @Nested
  class AnOperator {

    @Test
    void starts_what_is_claimed() {
      assertThat(lifecycle.start(task(TaskState.CLAIMED)).to()).isEqualTo(TaskState.RUNNING);
    }

    @Test
    void cancels_and_only_a_lease_leaves_a_record() {
      assertThat(lifecycle.cancel(task(TaskState.PENDING)).note()).isNull();
      assertThat(note(lifecycle.cancel(task(TaskState.RUNNING))).outcome())
          .isEqualTo(AttemptOutcome.CANCELED);
      assertThat(lifecycle.cancel(task(TaskState.RETRY_PENDING)).to())
          .isEqualTo(TaskState.CANCELED);
    }

    @Test
    void pauses_and_resumes_in_any_live_state() {
      for (TaskState state : TaskState.values()) {
        if (state.isLive()) {
          Change pause = lifecycle.pause(task(state));
          assertThat(pause.to()).isEqualTo(state);
          assertThat(pause.holding().set()).isEqualTo(Hold.PAUSED);
          Change resume = lifecycle.resume(task(state));
          assertThat(resume.to()).isEqualTo(state);
          assertThat(resume.holding().clear()).isEqualTo(Hold.PAUSED | Hold.PARKED);
          assertThat(resume.due()).isEqualTo(Due.unchanged());
        }
      }
    }

    @Test
    void moves_a_retry() {
      Due due = Due.at(NOW.plusSeconds(3));

      assertThat(lifecycle.retryAt(task(TaskState.RETRY_PENDING), due).due()).isEqualTo(due);
    }

    @Test
    void revives_and_the_policy_counts_anew() {
      Task ended = task(TaskState.FAILURE, SPREAD, new Counting(3, 2, 0, Duration.ofSeconds(40)));
      Change change = lifecycle.revive(ended);

      assertThat(change.event()).isEqualTo(TaskEvent.REVIVE);
      assertThat(change.to()).isEqualTo(TaskState.PENDING);
      assertThat(change.counting()).isEqualTo(new Counting(4, 0, 4, null));
      assertThat(change.due()).isEqualTo(Due.now());
      assertThat(change.countsAnew()).isTrue();
      Task again = task(TaskState.RUNNING, SPREAD, change.counting());
      assertThat(lifecycle.settle(again, failed(BROKEN), NOW).to())
          .isEqualTo(TaskState.RETRY_PENDING);
    }

    @Test
    void revives_to_waiting_what_waits_for_others() {
      Change change = lifecycle.revive(holding(task(TaskState.CANCELED), Hold.WAITING));

      assertThat(change.event()).isEqualTo(TaskEvent.REVIVE_WAITING);
      assertThat(change.to()).isEqualTo(TaskState.WAITING);
      assertThat(change.countsAnew()).isTrue();
    }

    @Test
    void is_told_why_not() {
      assertThatThrownBy(() -> lifecycle.cancel(task(TaskState.SUCCESS)))
          .isInstanceOf(TaskRefusedException.class)
          .hasMessage("task " + ID + " is Success, cancel is refused: it has ended");
      assertThatThrownBy(() -> lifecycle.retryAt(task(TaskState.PENDING), Due.now()))
          .isInstanceOfSatisfying(
              TaskRefusedException.class,
              refused -> {
                assertThat(refused.state()).isEqualTo(TaskState.PENDING);
                assertThat(refused.event()).isEqualTo(TaskEvent.RETRY_AT);
              });
    }
  }

  @Test
  void a_deadline_ends_any_live_state_and_only_a_lease_leaves_a_record() {
    for (TaskState state : TaskState.values()) {
      if (state.isLive()) {
        Change change = lifecycle.expire(task(state));
        assertThat(change.to()).isEqualTo(TaskState.FAILURE);
        assertThat(change.reason()).isEqualTo(EndReason.EXPIRED);
        assertThat(change.note() != null).isEqualTo(state.isHeld());
      }
    }
  }
}
