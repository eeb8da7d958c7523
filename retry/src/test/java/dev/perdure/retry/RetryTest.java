// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.perdure.policy.FailureMatcher;
import dev.perdure.policy.Jitter;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.retry.testing.FakeTimeProvider;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class RetryTest {

  private final FakeTimeProvider waits =
      FakeTimeProvider.startingAt(Instant.parse("2026-01-01T00:00:00Z"));
  private final RetryPolicy policy =
      RetryPolicy.exponential(ofSeconds(1)).jitter(Jitter.none()).build();
  private final AtomicInteger attempts = new AtomicInteger();

  /** Fails so many times, then answers. */
  private String flaky(int failures) throws IOException {
    if (attempts.incrementAndGet() <= failures) {
      throw new IOException("no " + attempts.get());
    }
    return "done";
  }

  private RetryBuilder retry() {
    return Retry.builder(policy).timeProvider(waits);
  }

  @Test
  void a_call_that_goes_well_is_made_once() throws IOException {
    assertThat(retry().build().call(() -> flaky(0))).isEqualTo("done");
    assertThat(attempts).hasValue(1);
    assertThat(waits.sleeps()).isEmpty();
  }

  @Test
  void tries_again_until_it_goes_well() throws IOException {
    assertThat(retry().build().call(() -> flaky(2))).isEqualTo("done");
    assertThat(attempts).hasValue(3);
    assertThat(waits.sleeps()).containsExactly(ofSeconds(1), ofSeconds(2));
  }

  @Test
  void stays_on_the_thread_of_the_caller() throws IOException {
    List<Thread> threads = new ArrayList<>();
    retry()
        .attemptTimeout(ofSeconds(5))
        .build()
        .call(
            () -> {
              threads.add(Thread.currentThread());
              return flaky(1);
            });
    assertThat(threads).containsExactly(Thread.currentThread(), Thread.currentThread());
  }

  @Test
  void throws_the_last_failure_with_the_earlier_ones_suppressed() {
    Throwable thrown =
        catchThrowable(() -> retry().timeLimit(ofSeconds(99)).build().call(() -> flaky(9)));

    assertThat(thrown).isInstanceOf(IOException.class).hasMessage("no 4");
    assertThat(thrown.getSuppressed())
        .extracting(Throwable::getMessage)
        .containsExactly("no 1", "no 2", "no 3", "4 attempts in PT7S, stopped: EXHAUSTED");
    assertThat(RetrySummary.of(thrown).orElseThrow().elapsed()).isEqualTo(ofSeconds(7));
  }

  @Test
  void keeps_a_bounded_number_of_earlier_failures() {
    RetryPolicy often = RetryPolicy.immediate().maxRetries(500).build();
    Throwable thrown = catchThrowable(() -> Retry.of(often).call(() -> flaky(999)));
    assertThat(thrown.getSuppressed()).hasSize(RetryState.MAX_SUPPRESSED + 1);
    assertThat(thrown.getSuppressed()[0]).hasMessage("no 491");
  }

  @Test
  void a_failure_that_is_one_object_for_ever_does_not_grow() {
    IOException constant = new IOException("always the same");
    ThrowingAction<IOException> action =
        () -> {
          throw constant;
        };
    Retry one = retry().build();
    for (int i = 0; i < 20; i++) {
      assertThat(catchThrowable(() -> one.run(action))).isSameAs(constant);
    }
    assertThat(constant.getSuppressed()).hasSize(1);
    for (int i = 0; i < 20; i++) {
      assertThat(catchThrowable(() -> retry().build().run(action))).isSameAs(constant);
    }
    assertThat(constant.getSuppressed()).hasSize(RetrySummary.MAX_NESTED);
  }

  @Test
  void a_retry_within_a_retry_tells_the_outer_history() {
    Retry inner = Retry.of(RetryPolicy.immediate().maxRetries(1).build());
    Throwable thrown =
        catchThrowable(() -> retry().build().call(() -> inner.call(() -> flaky(99))));
    assertThat(RetrySummary.of(thrown).orElseThrow().attempts()).isEqualTo(4);
    assertThat(attempts).hasValue(8);
  }

  @Test
  void does_not_retry_what_the_policy_does_not_name() {
    RetryPolicy onlyIo =
        RetryPolicy.immediate().retryOn(FailureMatcher.exception(IOException.class)).build();
    Throwable thrown =
        catchThrowable(
            () ->
                Retry.of(onlyIo)
                    .run(
                        () -> {
                          attempts.incrementAndGet();
                          throw new IllegalStateException("no use");
                        }));
    assertThat(attempts).hasValue(1);
    assertThat(RetrySummary.of(thrown).orElseThrow().reason()).isEqualTo(StopReason.NOT_RETRYABLE);
  }

  @Test
  void does_not_retry_an_error_unless_it_is_named() {
    ThrowingAction<RuntimeException> broken =
        () -> {
          attempts.incrementAndGet();
          throw new LinkageError("broken");
        };
    assertThat(catchThrowable(() -> Retry.of(policy).run(broken))).isInstanceOf(LinkageError.class);
    assertThat(attempts).hasValue(1);

    RetryPolicy named =
        RetryPolicy.immediate().retryOn(FailureMatcher.exception(LinkageError.class)).build();
    assertThat(catchThrowable(() -> Retry.of(named).run(broken))).isInstanceOf(LinkageError.class);
    assertThat(attempts).hasValue(5);
  }

  @Test
  void a_time_limit_is_predictive() {
    Throwable thrown =
        catchThrowable(() -> retry().timeLimit(ofSeconds(3)).build().call(() -> flaky(9)));
    assertThat(attempts).hasValue(2);
    assertThat(waits.sleeps()).containsExactly(ofSeconds(1));
    assertThat(RetrySummary.of(thrown).orElseThrow().reason()).isEqualTo(StopReason.TIME_LIMIT);
  }

  @Test
  void a_clock_that_jumps_changes_nothing() throws IOException {
    Retry retry = retry().timeLimit(ofSeconds(60)).build();
    assertThat(
            retry.call(
                () -> {
                  waits.setWallClock(Instant.parse("1999-01-01T00:00:00Z"));
                  return flaky(3);
                }))
        .isEqualTo("done");
  }

  @Test
  void a_refused_result_is_tried_again_and_the_last_one_returned() {
    Supplier<String> supplier = () -> "answer " + attempts.incrementAndGet();
    assertThat(retry().retryOnResult("answer 1"::equals).build().wrapSupplier(supplier).get())
        .isEqualTo("answer 2");
    assertThat(retry().retryOnResult(any -> true).build().wrapSupplier(supplier).get())
        .isEqualTo("answer 6");
  }

  @Test
  void the_context_tells_the_attempt_the_time_and_the_failure_before() throws IOException {
    List<String> told = new ArrayList<>();
    retry()
        .build()
        .callWithContext(
            context -> {
              told.add(
                  "%d after %s, before: %s"
                      .formatted(
                          context.attempt(),
                          context.elapsed(),
                          context.previousFailure().map(Throwable::getMessage).orElse("nothing")));
              return flaky(2);
            });
    assertThat(told)
        .containsExactly(
            "0 after PT0S, before: nothing",
            "1 after PT1S, before: no 1",
            "2 after PT3S, before: no 2");
  }

  @Test
  void a_predicate_and_delays_of_ones_own_go_before_the_policy() {
    Retry retry =
        retry()
            .retryIf(thrown -> !"no 3".equals(thrown.getMessage()))
            .delayFunction((attempt, failure) -> ofMillis(10 * (attempt + 1)))
            .build();
    assertThat(catchThrowable(() -> retry.call(() -> flaky(9)))).hasMessage("no 3");
    assertThat(waits.sleeps()).containsExactly(ofMillis(10), ofMillis(20));
  }

  @Test
  void listeners_hear_everything_and_change_nothing() throws IOException {
    List<Object> heard = new ArrayList<>();
    RetryListener listener =
        new RetryListener() {
          @Override
          public void onRetry(RetryEvent event) {
            heard.add(event.attempt() + " " + event.delay());
            throw new IllegalStateException("a listener of bad manners");
          }

          @Override
          public void onGiveUp(GiveUpEvent event) {
            heard.add(event.attempts() + " " + event.reason());
          }

          @Override
          public void onSuccess(SuccessEvent event) {
            heard.add(event.operation() + " " + event.attempts() + " " + event.elapsed());
          }
        };
    retry().named("fetch").listener(listener).build().call(() -> flaky(1));
    assertThat(heard).containsExactly("0 PT1S", "fetch 2 PT1S");

    heard.clear();
    attempts.set(0);
    Throwable thrown =
        catchThrowable(() -> retry().listener(listener).build().call(() -> flaky(9)));
    assertThat(thrown).hasMessage("no 4");
    assertThat(heard).containsExactly("0 PT1S", "1 PT2S", "2 PT4S", "4 EXHAUSTED");
  }

  @Test
  void an_attempt_that_takes_too_long_is_interrupted_and_tried_again() throws Exception {
    Retry retry = retry().attemptTimeout(ofSeconds(5)).build();
    String answer =
        retry.call(
            () -> {
              if (attempts.incrementAndGet() == 1) {
                waits.advance(ofSeconds(5));
                assertThat(Thread.currentThread().isInterrupted()).isTrue();
                throw new IOException("interrupted while reading");
              }
              return "done";
            });
    assertThat(answer).isEqualTo("done");
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
    assertThat(waits.pending()).isZero();
  }

  @Test
  void a_breaker_is_asked_before_and_told_after_every_attempt() throws IOException {
    List<String> heard = new ArrayList<>();
    CircuitBreakerAdapter circuitBreakerAdapter =
        new CircuitBreakerAdapter() {
          @Override
          public boolean tryAcquirePermit() {
            heard.add("asked");
            return heard.size() != 3;
          }

          @Override
          public void onSuccess(Duration took) {
            heard.add("succeeded");
          }

          @Override
          public void onFailure(Duration took, Throwable failure) {
            heard.add("failed");
          }
        };
    assertThat(retry().circuitBreaker(circuitBreakerAdapter).build().call(() -> flaky(1)))
        .isEqualTo("done");
    assertThat(heard).containsExactly("asked", "failed", "asked", "asked", "succeeded");
    assertThat(attempts).hasValue(2);
  }

  @Test
  void refuses_limits_that_are_none() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> retry().timeLimit(Duration.ZERO))
        .withMessageContaining("timeLimit");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> retry().attemptTimeout(ofSeconds(-1)))
        .withMessageContaining("attemptTimeout");
  }
}
