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

  private final FakeTimeProvider time =
      FakeTimeProvider.startingAt(Instant.parse("2026-01-01T00:00:00Z"));
  private final RetryPolicy policy =
      RetryPolicy.exponential(ofSeconds(1)).jitter(Jitter.none()).build();
  private final AtomicInteger attempts = new AtomicInteger();

  /** Fails this many times, then succeeds. */
  private String flaky(int failures) throws IOException {
    if (attempts.incrementAndGet() <= failures) {
      throw new IOException("no " + attempts.get());
    }
    return "done";
  }

  private RetryBuilder retry() {
    return Retry.builder(policy).timeProvider(time);
  }

  @Test
  void a_successful_call_is_made_once() throws IOException {
    assertThat(retry().build().call(() -> flaky(0))).isEqualTo("done");
    assertThat(attempts).hasValue(1);
    assertThat(time.sleeps()).isEmpty();
  }

  @Test
  void retries_until_it_succeeds() throws IOException {
    assertThat(retry().build().call(() -> flaky(2))).isEqualTo("done");
    assertThat(attempts).hasValue(3);
    assertThat(time.sleeps()).containsExactly(ofSeconds(1), ofSeconds(2));
  }

  @Test
  void stays_on_the_callers_thread() throws IOException {
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
  void keeps_a_limited_number_of_earlier_failures() {
    RetryPolicy often = RetryPolicy.immediate().maxRetries(500).build();
    Throwable thrown = catchThrowable(() -> Retry.of(often).call(() -> flaky(999)));
    assertThat(thrown.getSuppressed()).hasSize(RetryState.MAX_SUPPRESSED + 1);
    assertThat(thrown.getSuppressed()[0]).hasMessage("no 491");
  }

  @Test
  void an_exception_that_is_thrown_repeatedly_does_not_grow() {
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
  void nested_retries_report_the_summary_of_the_outer_one() {
    Retry inner = Retry.of(RetryPolicy.immediate().maxRetries(1).build());
    Throwable thrown =
        catchThrowable(() -> retry().build().call(() -> inner.call(() -> flaky(99))));
    assertThat(RetrySummary.of(thrown).orElseThrow().attempts()).isEqualTo(4);
    assertThat(attempts).hasValue(8);
  }

  @Test
  void does_not_retry_failures_outside_of_retry_on() {
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
  void retries_an_error_only_if_the_policy_names_it() {
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
  void does_not_start_a_wait_that_would_exceed_the_time_limit() {
    Throwable thrown =
        catchThrowable(() -> retry().timeLimit(ofSeconds(3)).build().call(() -> flaky(9)));
    assertThat(attempts).hasValue(2);
    assertThat(time.sleeps()).containsExactly(ofSeconds(1));
    assertThat(RetrySummary.of(thrown).orElseThrow().reason()).isEqualTo(StopReason.TIME_LIMIT);
  }

  @Test
  void ignores_changes_of_the_wall_clock() throws IOException {
    Retry retry = retry().timeLimit(ofSeconds(60)).build();
    assertThat(
            retry.call(
                () -> {
                  time.setWallClock(Instant.parse("1999-01-01T00:00:00Z"));
                  return flaky(3);
                }))
        .isEqualTo("done");
  }

  @Test
  void retries_a_rejected_result_and_returns_the_last_one() {
    Supplier<String> supplier = () -> "result " + attempts.incrementAndGet();
    assertThat(retry().retryOnResult("result 1"::equals).build().wrapSupplier(supplier).get())
        .isEqualTo("result 2");
    assertThat(retry().retryOnResult(any -> true).build().wrapSupplier(supplier).get())
        .isEqualTo("result 6");
  }

  @Test
  void the_context_has_the_attempt_the_time_and_the_previous_failure() throws IOException {
    List<String> contexts = new ArrayList<>();
    retry()
        .build()
        .callWithContext(
            context -> {
              contexts.add(
                  "%d after %s, before: %s"
                      .formatted(
                          context.attempt(),
                          context.elapsed(),
                          context.previousFailure().map(Throwable::getMessage).orElse("nothing")));
              return flaky(2);
            });
    assertThat(contexts)
        .containsExactly(
            "0 after PT0S, before: nothing",
            "1 after PT1S, before: no 1",
            "2 after PT3S, before: no 2");
  }

  @Test
  void a_predicate_and_a_delay_function_take_precedence_over_the_policy() {
    Retry retry =
        retry()
            .retryIf(thrown -> !"no 3".equals(thrown.getMessage()))
            .delayFunction((attempt, failure) -> ofMillis(10 * (attempt + 1)))
            .build();
    assertThat(catchThrowable(() -> retry.call(() -> flaky(9)))).hasMessage("no 3");
    assertThat(time.sleeps()).containsExactly(ofMillis(10), ofMillis(20));
  }

  @Test
  void listeners_receive_all_events_and_change_nothing() throws IOException {
    List<Object> events = new ArrayList<>();
    RetryListener listener =
        new RetryListener() {
          @Override
          public void onRetry(RetryEvent event) {
            events.add(event.attempt() + " " + event.delay());
            throw new IllegalStateException("a broken listener");
          }

          @Override
          public void onGiveUp(GiveUpEvent event) {
            events.add(event.attempts() + " " + event.reason());
          }

          @Override
          public void onSuccess(SuccessEvent event) {
            events.add(event.operation() + " " + event.attempts() + " " + event.elapsed());
          }
        };
    retry().named("fetch").listener(listener).build().call(() -> flaky(1));
    assertThat(events).containsExactly("0 PT1S", "fetch 2 PT1S");

    events.clear();
    attempts.set(0);
    Throwable thrown =
        catchThrowable(() -> retry().listener(listener).build().call(() -> flaky(9)));
    assertThat(thrown).hasMessage("no 4");
    assertThat(events).containsExactly("0 PT1S", "1 PT2S", "2 PT4S", "4 EXHAUSTED");
  }

  @Test
  void interrupts_and_retries_an_attempt_that_takes_too_long() throws Exception {
    Retry retry = retry().attemptTimeout(ofSeconds(5)).build();
    String result =
        retry.call(
            () -> {
              if (attempts.incrementAndGet() == 1) {
                time.advance(ofSeconds(5));
                assertThat(Thread.currentThread().isInterrupted()).isTrue();
                throw new IOException("interrupted while reading");
              }
              return "done";
            });
    assertThat(result).isEqualTo("done");
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
    assertThat(time.pending()).isZero();
  }

  @Test
  void a_breaker_is_asked_before_and_notified_after_every_attempt() throws IOException {
    List<String> events = new ArrayList<>();
    CircuitBreakerAdapter circuitBreaker =
        new CircuitBreakerAdapter() {
          @Override
          public boolean tryAcquirePermit() {
            events.add("asked");
            return events.size() != 3;
          }

          @Override
          public void onSuccess(Duration took) {
            events.add("succeeded");
          }

          @Override
          public void onFailure(Duration took, Throwable failure) {
            events.add("failed");
          }
        };
    assertThat(retry().circuitBreaker(circuitBreaker).build().call(() -> flaky(1)))
        .isEqualTo("done");
    assertThat(events).containsExactly("asked", "failed", "asked", "asked", "succeeded");
    assertThat(attempts).hasValue(2);
  }

  @Test
  void rejects_limits_that_are_not_positive() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> retry().timeLimit(Duration.ZERO))
        .withMessageContaining("timeLimit");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> retry().attemptTimeout(ofSeconds(-1)))
        .withMessageContaining("attemptTimeout");
  }
}
