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

/** What the policy still wants tried goes on as a task; what it gives up does not. */
class DurableRetryTest {

  private static final RetryPolicy POLICY =
      RetryPolicy.exponential(ofSeconds(1))
          .jitter(Jitter.none())
          .maxRetries(20)
          .neverOn(FailureMatcher.exception(IllegalArgumentException.class))
          .build();

  private final FakeTimeProvider waits =
      FakeTimeProvider.startingAt(Instant.parse("2026-01-01T00:00:00Z"));
  private final RecordingHandOverTarget engine = new RecordingHandOverTarget();
  private final List<StopReason> ends = new ArrayList<>();
  private final List<String> keys = new ArrayList<>();

  private RetryBuilder with(RetryPolicy policy) {
    return Retry.builder(policy)
        .timeProvider(waits)
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
    waits.advance(ofMillis(100));
    throw new IOException("no " + context.attempt());
  }

  private HandedOverException handedOver(DurableRetry retry) {
    return catchThrowableOfType(HandedOverException.class, () -> retry.call("order 7", this::fail));
  }

  @Test
  void a_result_that_comes_in_time_is_the_answer() {
    assertThat(durable().<String, RuntimeException>call("order 7", context -> "paid"))
        .isEqualTo("paid");
    assertThat(engine.received()).isEmpty();
  }

  @Test
  void what_does_not_get_well_in_ten_seconds_goes_on_as_a_task() {
    HandedOverException later = handedOver(durable());

    assertThat(later.taskId()).isEqualTo(RecordingHandOverTarget.TASK);
    assertThat(later)
        .hasMessage("handed over as task " + RecordingHandOverTarget.TASK + " of kind 'charge'")
        .hasCauseInstanceOf(IOException.class)
        .hasRootCauseMessage("no 3");
    assertThat(waits.sleeps()).containsExactly(ofSeconds(1), ofSeconds(2), ofSeconds(4));
    HandOverRequest work = engine.only();
    assertThat(work.kind()).isEqualTo("charge");
    assertThat(work.payload()).isEqualTo("order 7");
    assertThat(work.policy()).isEqualTo(POLICY);
    assertThat(work.age()).isEqualTo(ofMillis(7400));
  }

  @Test
  void the_history_goes_with_it() {
    handedOver(durable());

    List<FailedAttempt> attempts = engine.only().failedAttempts();
    assertThat(attempts).extracting(FailedAttempt::number).containsExactly(0L, 1L, 2L, 3L);
    assertThat(attempts)
        .extracting(FailedAttempt::delay)
        .containsExactly(ofSeconds(1), ofSeconds(2), ofSeconds(4), ofSeconds(8));
    assertThat(attempts)
        .extracting(each -> each.failure().message())
        .containsExactly("no 0", "no 1", "no 2", "no 3");
    assertThat(attempts)
        .extracting(FailedAttempt::startedAgo)
        .containsExactly(ofMillis(7400), ofMillis(6300), ofMillis(4200), ofMillis(100));
    assertThat(attempts)
        .extracting(FailedAttempt::endedAgo)
        .containsExactly(ofMillis(7300), ofMillis(6200), ofMillis(4100), ZERO);
    assertThat(attempts).allSatisfy(each -> assertThat(each.thrown()).hasMessageStartingWith("no"));
  }

  @Test
  void the_exception_tells_the_whole_story() {
    HandedOverException later = handedOver(durable());

    assertThat(later.getSuppressed())
        .extracting(Throwable::getMessage)
        .containsExactly("no 0", "no 1", "no 2", "4 attempts in PT7.4S, stopped: HANDED_OVER");
    assertThat(ends).containsExactly(StopReason.HANDED_OVER);
  }

  @Test
  void every_attempt_has_the_key_that_the_task_gets() {
    handedOver(durable());
    assertThat(keys).hasSize(4).containsOnly(engine.only().idempotencyKey());
    handedOver(durable());
    assertThat(keys).hasSize(8);
    assertThat(engine.received().get(1).idempotencyKey())
        .isEqualTo(keys.getLast())
        .isNotEqualTo(keys.getFirst());
  }

  @Test
  void the_key_may_be_the_callers() {
    handedOver(durable().withIdempotencyKey("order-7"));
    assertThat(keys).containsOnly("order-7");
    assertThat(engine.only().idempotencyKey()).isEqualTo("order-7");
  }

  @Nested
  class HowFarTheProcessGoes {

    @Test
    void a_time_limit_says_how_long() {
      handedOver(with(POLICY).timeLimit(ofSeconds(2)).build().thenDurably(engine, "charge"));
      assertThat(waits.sleeps()).containsExactly(ofSeconds(1));
    }

    @Test
    void a_number_of_retries_may_be_said_too() {
      handedOver(durable().maxInProcessRetries(2));
      assertThat(engine.only().failedAttempts()).hasSize(3);
    }

    @Test
    void no_retry_at_all_leaves_the_first_attempt_to_the_process() {
      handedOver(durable().maxInProcessRetries(0));
      assertThat(engine.only().failedAttempts()).hasSize(1);
      assertThat(waits.sleeps()).isEmpty();
    }

    @Test
    void a_budget_that_is_used_up_ends_it() {
      RetryBudget budget = RetryBudget.create();
      while (budget.take()) {
        // Somebody else's calls.
      }
      handedOver(with(POLICY).budget(budget).build().thenDurably(engine, "charge"));
      assertThat(engine.only().failedAttempts()).hasSize(1);
    }

    @Test
    void a_retry_that_is_left_to_the_task_takes_nothing_from_the_budget() {
      RetryBudget budget = RetryBudget.create();
      DurableRetry retry =
          with(POLICY).budget(budget).build().thenDurably(engine, "charge").maxInProcessRetries(0);
      for (int i = 0; i < 50; i++) {
        handedOver(retry);
      }
      assertThat(budget.take()).isTrue();
    }

    @Test
    void only_the_newest_hundred_attempts_are_told_but_all_are_counted() {
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
    void a_timer_that_broke_leaves_the_retry_to_the_task() {
      TimeProvider noTimer =
          new ForwardingTimeProvider(waits) {
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
  class WhatIsNotHandedOver {

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
    void what_the_policy_does_not_retry() {
      assertStops(StopReason.NOT_RETRYABLE, durable(), new IllegalArgumentException("bad order"));
    }

    @Test
    void what_has_used_up_all_retries_of_the_policy() {
      RetryPolicy two = RetryPolicy.fixed(ofSeconds(1)).maxRetries(2).build();
      DurableRetry retry = with(two).build().thenDurably(engine, "charge");
      assertStops(StopReason.EXHAUSTED, retry, new IOException("no"));
    }

    @Test
    void what_expires_before_the_next_attempt() {
      RetryPolicy short_ =
          RetryPolicy.fixed(ofSeconds(4)).jitter(Jitter.none()).expiresAfter(ofSeconds(6)).build();
      DurableRetry retry = with(short_).build().thenDurably(engine, "charge");
      assertStops(StopReason.EXPIRED, retry, new IOException("no"));
    }

    @Test
    void what_was_cancelled() {
      assertStops(StopReason.CANCELED, durable(), new CancellationException());
    }

    @Test
    void what_was_interrupted() {
      assertStops(
          StopReason.INTERRUPTED, durable().maxInProcessRetries(0), new InterruptedException());
      assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void what_was_interrupted_while_it_waited() {
      waits.schedule(Thread.currentThread()::interrupt, ofMillis(1500));
      assertStops(StopReason.INTERRUPTED, durable(), new IOException("no"));
      assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void what_nobody_could_decide_about() {
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
  class WhenNobodyTakesIt {

    @Test
    void the_caller_gets_the_failure_and_why_it_was_not_taken() {
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
    void the_reason_may_be_that_the_process_has_made_its_retries() {
      engine.failFromNow();
      Throwable thrown =
          catchThrowable(
              () -> durable().maxInProcessRetries(1).call("order 7", DurableRetryTest.this::fail));
      assertThat(RetrySummary.of(thrown).orElseThrow().reason())
          .isEqualTo(StopReason.IN_PROCESS_LIMIT);
    }

    @Test
    void a_refused_result_is_not_passed_off_as_an_answer() {
      engine.failFromNow();
      DurableRetry retry =
          with(POLICY).retryOnResult("busy"::equals).build().thenDurably(engine, "charge");
      Throwable thrown = catchThrowable(() -> retry.call("order 7", context -> "busy"));

      assertThat(thrown).isInstanceOf(RejectedResultException.class);
      assertThat(thrown.getSuppressed()[0]).hasMessage("no database");
    }
  }

  @Test
  void a_refused_result_is_handed_over_with_what_was_wrong_with_it() {
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
  void a_retry_around_it_does_not_begin_it_again() {
    Retry outer = Retry.builder(POLICY).timeProvider(waits).build();
    Throwable thrown =
        catchThrowable(() -> outer.call(() -> durable().call("order 7", this::fail)));

    assertThat(thrown).isInstanceOf(HandedOverException.class);
    assertThat(engine.received()).hasSize(1);
  }

  @Test
  void a_clock_that_jumps_back_does_not_hinder_it() {
    TimeProvider backwards =
        new ForwardingTimeProvider(waits) {
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
  void what_cannot_work_is_refused_before_the_first_call() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Retry.of(RetryPolicy.none()).thenDurably(engine, "charge"))
        .withMessageContaining("policy");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Retry.of(POLICY).thenDurably(engine, "x".repeat(101)))
        .withMessageContaining("kind");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> durable().maxInProcessRetries(-1))
        .withMessageContaining("afterRetries");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> durable().withIdempotencyKey(" "))
        .withMessageContaining("idempotencyKey");
  }
}
