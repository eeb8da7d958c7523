// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.perdure.policy.FailedAttempt;
import dev.perdure.policy.Failure;
import dev.perdure.policy.FailureMatcher;
import dev.perdure.policy.HandOverRequest;
import dev.perdure.policy.Jitter;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.retry.testing.FakeTimeProvider;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** A call continues as a task if the policy still wants to retry it, and only then. */
class DurableRetryTest {

  private static final RetryPolicy POLICY =
      RetryPolicy.exponential(ofSeconds(1))
          .jitter(Jitter.none())
          .maxRetries(20)
          .neverOn(FailureMatcher.exception(IllegalArgumentException.class))
          .build();

  private final FakeTimeProvider time =
      FakeTimeProvider.startingAt(Instant.parse("2026-01-01T00:00:00Z"));
  private final RecordingHandOverTarget engine = new RecordingHandOverTarget();
  private final List<StopReason> ends = new ArrayList<>();
  private final List<String> keys = new ArrayList<>();

  private RetryBuilder with(RetryPolicy policy) {
    return Retry.builder(policy)
        .timeProvider(time)
        .listener(
            new RetryListener() {
              @Override
              public void onGiveUp(GiveUpEvent event) {
                ends.add(event.reason());
              }
            });
  }

  private DurableRetry durable() {
    return with(POLICY).build().thenDurably(engine, "charge");
  }

  /** Takes 100 ms and fails. */
  private String fail(DurableContext context) throws IOException {
    keys.add(context.idempotencyKey());
    time.advance(ofMillis(100));
    throw new IOException("no " + context.attempt());
  }

  private HandedOverException handedOver(DurableRetry retry) {
    return catchThrowableOfType(HandedOverException.class, () -> retry.call("order 7", this::fail));
  }

  @Test
  void returns_a_result_in_process() {
    assertThat(durable().<String, RuntimeException>call("order 7", context -> "paid"))
        .isEqualTo("paid");
    assertThat(engine.received()).isEmpty();
  }

  @Test
  void a_call_that_fails_for_ten_seconds_continues_as_a_task() {
    HandedOverException later = handedOver(durable());

    assertThat(later.taskId()).isEqualTo(RecordingHandOverTarget.TASK);
    assertThat(later)
        .hasMessage("handed over as task " + RecordingHandOverTarget.TASK + " of kind 'charge'")
        .hasCauseInstanceOf(IOException.class)
        .hasRootCauseMessage("no 3");
    assertThat(time.sleeps()).containsExactly(ofSeconds(1), ofSeconds(2), ofSeconds(4));
    HandOverRequest request = engine.only();
    assertThat(request.kind()).isEqualTo("charge");
    assertThat(request.payload()).isEqualTo("order 7");
    assertThat(request.policy()).isEqualTo(POLICY);
    assertThat(request.age()).isEqualTo(ofMillis(7400));
  }

  @Test
  void hands_over_the_failed_attempts() {
    handedOver(durable());

    List<FailedAttempt> attempts = engine.only().failedAttempts();
    assertThat(attempts).extracting(FailedAttempt::number).containsExactly(0L, 1L, 2L, 3L);
    assertThat(attempts)
        .extracting(FailedAttempt::delay)
        .containsExactly(ofSeconds(1), ofSeconds(2), ofSeconds(4), ofSeconds(8));
    assertThat(attempts)
        .extracting(attempt -> attempt.failure().message())
        .containsExactly("no 0", "no 1", "no 2", "no 3");
    assertThat(attempts)
        .extracting(FailedAttempt::startedAgo)
        .containsExactly(ofMillis(7400), ofMillis(6300), ofMillis(4200), ofMillis(100));
    assertThat(attempts)
        .extracting(FailedAttempt::endedAgo)
        .containsExactly(ofMillis(7300), ofMillis(6200), ofMillis(4100), ZERO);
    assertThat(attempts)
        .allSatisfy(attempt -> assertThat(attempt.thrown()).hasMessageStartingWith("no"));
  }

  @Test
  void the_exception_contains_earlier_failures_and_a_summary() {
    HandedOverException later = handedOver(durable());

    assertThat(later.getSuppressed())
        .extracting(Throwable::getMessage)
        .containsExactly("no 0", "no 1", "no 2", "4 attempts in PT7.4S, stopped: HANDED_OVER");
    assertThat(ends).containsExactly(StopReason.HANDED_OVER);
  }

  @Test
  void every_attempt_has_the_key_of_the_task() {
    handedOver(durable());
    assertThat(keys).hasSize(4).containsOnly(engine.only().idempotencyKey());
    handedOver(durable());
    assertThat(keys).hasSize(8);
    assertThat(engine.received().get(1).idempotencyKey())
        .isEqualTo(keys.getLast())
        .isNotEqualTo(keys.getFirst());
  }

  @Test
  void the_caller_can_set_the_key() {
    handedOver(durable().withIdempotencyKey("order-7"));
    assertThat(keys).containsOnly("order-7");
    assertThat(engine.only().idempotencyKey()).isEqualTo("order-7");
  }

  @Nested
  class InProcessLimits {

    @Test
    void a_time_limit_ends_the_in_process_retries() {
      handedOver(with(POLICY).timeLimit(ofSeconds(2)).build().thenDurably(engine, "charge"));
      assertThat(time.sleeps()).containsExactly(ofSeconds(1));
    }

    @Test
    void a_retry_limit_ends_the_in_process_retries() {
      handedOver(durable().maxInProcessRetries(2));
      assertThat(engine.only().failedAttempts()).hasSize(3);
    }

    @Test
    void with_no_in_process_retries_only_the_first_attempt_is_made_in_process() {
      handedOver(durable().maxInProcessRetries(0));
      assertThat(engine.only().failedAttempts()).hasSize(1);
      assertThat(time.sleeps()).isEmpty();
    }

    @Test
    void an_exhausted_budget_ends_the_in_process_retries() {
      RetryBudget budget = RetryBudget.create();
      while (budget.take()) {
        // Other calls use up the budget.
      }
      handedOver(with(POLICY).budget(budget).build().thenDurably(engine, "charge"));
      assertThat(engine.only().failedAttempts()).hasSize(1);
    }

    @Test
    void a_retry_of_the_task_takes_nothing_from_the_budget() {
      RetryBudget budget = RetryBudget.create();
      DurableRetry retry =
          with(POLICY).budget(budget).build().thenDurably(engine, "charge").maxInProcessRetries(0);
      for (int i = 0; i < 50; i++) {
        handedOver(retry);
      }
      assertThat(budget.take()).isTrue();
    }

    @Test
    void hands_over_the_newest_hundred_attempts_and_counts_all() {
      RetryPolicy quick =
          RetryPolicy.fixed(ofMillis(1)).jitter(Jitter.none()).maxRetries(900).build();
      handedOver(
          with(quick)
              .timeLimit(ofSeconds(99))
              .build()
              .thenDurably(engine, "charge")
              .maxInProcessRetries(250));
      assertThat(engine.only().failedAttempts()).hasSize(HandOverRequest.MAX_ATTEMPTS);
      assertThat(engine.only().failedAttempts().getLast().number()).isEqualTo(250);
    }

    @Test
    void a_broken_timer_leaves_the_retry_to_the_task() {
      TimeProvider noTimer =
          new ForwardingTimeProvider(time) {
            @Override
            public void sleep(Duration duration) {
              throw new IllegalStateException("shut down");
            }
          };
      HandedOverException later =
          handedOver(with(POLICY).timeProvider(noTimer).build().thenDurably(engine, "charge"));

      assertThat(later.getCause())
          .hasMessage("no 0")
          .hasSuppressedException(new IllegalStateException("shut down"));
      assertThat(engine.only().failedAttempts().getLast().delay()).isEqualTo(ofSeconds(1));
    }
  }

  @Nested
  class NotHandedOver {

    private Throwable failing(DurableRetry retry, Exception failure) {
      Throwable thrown =
          catchThrowable(
              () ->
                  retry.call(
                      "order 7",
                      context -> {
                        throw failure;
                      }));
      assertThat(engine.received()).isEmpty();
      return thrown;
    }

    private void assertStops(StopReason reason, DurableRetry retry, Exception failure) {
      Throwable thrown = failing(retry, failure);
      assertThat(thrown).isSameAs(failure);
      assertThat(RetrySummary.of(thrown).orElseThrow().reason()).isEqualTo(reason);
      assertThat(ends).containsExactly(reason);
    }

    @Test
    void failures_that_the_policy_does_not_retry() {
      assertStops(StopReason.NOT_RETRYABLE, durable(), new IllegalArgumentException("bad order"));
    }

    @Test
    void calls_without_retries_left() {
      RetryPolicy two = RetryPolicy.fixed(ofSeconds(1)).maxRetries(2).build();
      DurableRetry retry = with(two).build().thenDurably(engine, "charge");
      assertStops(StopReason.EXHAUSTED, retry, new IOException("no"));
    }

    @Test
    void calls_that_expire_before_the_next_attempt() {
      RetryPolicy brief =
          RetryPolicy.fixed(ofSeconds(4)).jitter(Jitter.none()).expiresAfter(ofSeconds(6)).build();
      DurableRetry retry = with(brief).build().thenDurably(engine, "charge");
      assertStops(StopReason.EXPIRED, retry, new IOException("no"));
    }

    @Test
    void canceled_calls() {
      assertStops(StopReason.CANCELED, durable(), new CancellationException());
    }

    @Test
    void interrupted_calls() {
      assertStops(
          StopReason.INTERRUPTED, durable().maxInProcessRetries(0), new InterruptedException());
      assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void calls_interrupted_while_waiting() {
      time.schedule(Thread.currentThread()::interrupt, ofMillis(1500));
      assertStops(StopReason.INTERRUPTED, durable(), new IOException("no"));
      assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void calls_whose_predicate_throws() {
      DurableRetry retry =
          with(POLICY)
              .retryIf(
                  thrown -> {
                    throw new IllegalStateException("broken");
                  })
              .build()
              .thenDurably(engine, "charge");
      assertStops(StopReason.INTERNAL_ERROR, retry, new IOException("no"));
    }
  }

  @Nested
  class WhenTheHandOverFails {

    @Test
    void the_caller_gets_the_failure_and_the_hand_over_error() {
      engine.failFromNow();
      Throwable thrown =
          catchThrowable(() -> durable().call("order 7", DurableRetryTest.this::fail));

      assertThat(thrown).isInstanceOf(IOException.class).hasMessage("no 3");
      assertThat(thrown.getSuppressed())
          .extracting(Throwable::getMessage)
          .containsExactly(
              "no database", "no 0", "no 1", "no 2", "4 attempts in PT7.4S, stopped: TIME_LIMIT");
      assertThat(ends).containsExactly(StopReason.TIME_LIMIT);
    }

    @Test
    void the_reason_can_be_the_in_process_limit() {
      engine.failFromNow();
      Throwable thrown =
          catchThrowable(
              () -> durable().maxInProcessRetries(1).call("order 7", DurableRetryTest.this::fail));
      assertThat(RetrySummary.of(thrown).orElseThrow().reason())
          .isEqualTo(StopReason.IN_PROCESS_LIMIT);
    }

    @Test
    void a_rejected_result_is_not_returned() {
      engine.failFromNow();
      DurableRetry retry =
          with(POLICY).retryOnResult("busy"::equals).build().thenDurably(engine, "charge");
      Throwable thrown = catchThrowable(() -> retry.call("order 7", context -> "busy"));

      assertThat(thrown).isInstanceOf(RejectedResultException.class);
      assertThat(thrown.getSuppressed()[0]).hasMessage("no database");
    }
  }

  @Test
  void a_rejected_result_is_handed_over_with_its_failure() {
    DurableRetry retry =
        with(POLICY)
            .resultClassifier(result -> Failure.http(503).withRetryAfter(ofSeconds(90)))
            .build()
            .thenDurably(engine, "charge");
    HandedOverException later =
        catchThrowableOfType(
            HandedOverException.class, () -> retry.call("order 7", context -> "busy"));

    assertThat(later).hasNoCause();
    FailedAttempt only = engine.only().failedAttempts().getFirst();
    assertThat(only.failure().status()).isEqualTo(503);
    assertThat(only.thrown()).isNull();
    assertThat(only.delay()).isEqualTo(ofSeconds(90));
  }

  @Test
  void an_outer_retry_does_not_retry_a_handed_over_call() {
    Retry outer = Retry.builder(POLICY).timeProvider(time).build();
    Throwable thrown =
        catchThrowable(() -> outer.call(() -> durable().call("order 7", this::fail)));

    assertThat(thrown).isInstanceOf(HandedOverException.class);
    assertThat(engine.received()).hasSize(1);
  }

  @Test
  void a_clock_that_jumps_back_does_not_prevent_the_hand_over() {
    TimeProvider backwards =
        new ForwardingTimeProvider(time) {
          private long now;

          @Override
          public long nanoTime() {
            return now -= 1_000_000_000;
          }
        };
    handedOver(
        with(POLICY)
            .timeProvider(backwards)
            .build()
            .thenDurably(engine, "charge")
            .maxInProcessRetries(1));
    assertThat(engine.only().failedAttempts()).hasSize(2);
    assertThat(engine.only().age()).isEqualTo(ZERO);
  }

  @Test
  void rejects_invalid_settings_before_the_first_call() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Retry.of(RetryPolicy.none()).thenDurably(engine, "charge"))
        .withMessageContaining("policy");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Retry.of(POLICY).thenDurably(engine, "x".repeat(101)))
        .withMessageContaining("kind");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> durable().maxInProcessRetries(-1))
        .withMessageContaining("maxInProcessRetries");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> durable().withIdempotencyKey(" "))
        .withMessageContaining("idempotencyKey");
  }
}
