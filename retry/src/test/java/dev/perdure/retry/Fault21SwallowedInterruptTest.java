// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.perdure.policy.RetryPolicy;
import dev.perdure.retry.testing.FakeTimeProvider;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedByInterruptException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Faults of earlier systems: an interrupt or a cancellation during the wait is swallowed, and
 * attempts continue.
 */
class Fault21SwallowedInterruptTest {

  private final AtomicInteger attempts = new AtomicInteger();
  private final RetryPolicy hourly = RetryPolicy.fixed(ofHours(1)).unlimitedRetries().build();

  @Test
  void an_interrupt_during_the_wait_ends_the_call_and_stays_set() throws Exception {
    CountDownLatch failedOnce = new CountDownLatch(1);
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    AtomicBoolean flag = new AtomicBoolean();
    Thread caller =
        Thread.ofVirtual()
            .start(
                () -> {
                  thrown.set(
                      catchThrowable(
                          () ->
                              Retry.of(hourly)
                                  .run(
                                      () -> {
                                        attempts.incrementAndGet();
                                        failedOnce.countDown();
                                        throw new IOException("no");
                                      })));
                  flag.set(Thread.currentThread().isInterrupted());
                });

    failedOnce.await();
    caller.interrupt();
    caller.join();

    assertThat(attempts).hasValue(1);
    assertThat(thrown.get()).isInstanceOf(IOException.class).hasMessage("no");
    RetrySummary summary = RetrySummary.of(thrown.get()).orElseThrow();
    assertThat(summary.reason()).isEqualTo(StopReason.INTERRUPTED);
    assertThat(summary.attempts()).isEqualTo(1);
    assertThat(flag).isTrue();
  }

  @Test
  void an_interrupt_during_an_attempt_is_not_retried() {
    Throwable thrown =
        catchThrowable(
            () ->
                Retry.of(hourly)
                    .run(
                        () -> {
                          attempts.incrementAndGet();
                          throw new InterruptedException("stop");
                        }));

    assertThat(attempts).hasValue(1);
    assertThat(thrown).isInstanceOf(InterruptedException.class);
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void listeners_are_notified_of_an_interrupted_wait() {
    FakeTimeProvider time = FakeTimeProvider.startingAt(Instant.EPOCH);
    Thread caller = Thread.currentThread();
    time.schedule(caller::interrupt, ofMinutes(90));
    List<String> events = new ArrayList<>();
    Throwable thrown =
        catchThrowable(
            () ->
                Retry.builder(hourly)
                    .timeProvider(time)
                    .random(new SplittableRandom(1))
                    .listener(new RecordingRetryListener(events))
                    .build()
                    .run(
                        () -> {
                          attempts.incrementAndGet();
                          throw new IOException("no");
                        }));

    assertThat(Thread.interrupted()).isTrue();
    assertThat(thrown).hasMessage("no");
    assertThat(attempts).hasValue(2);
    assertThat(events).containsExactly("retry", "retry", "given up after 2: INTERRUPTED");
  }

  @ParameterizedTest
  @MethodSource("interruptExceptions")
  void exceptions_caused_by_an_interrupt_end_the_call(Exception exception) {
    List<String> events = new ArrayList<>();
    Throwable thrown =
        catchThrowable(
            () ->
                Retry.builder(RetryPolicy.immediate().build())
                    .listener(new RecordingRetryListener(events))
                    .build()
                    .run(
                        () -> {
                          attempts.incrementAndGet();
                          Thread.currentThread().interrupt();
                          throw exception;
                        }));

    assertThat(Thread.interrupted()).isTrue();
    assertThat(thrown).isSameAs(exception);
    assertThat(attempts).hasValue(1);
    assertThat(events).containsExactly("given up after 1: INTERRUPTED");
  }

  static Stream<Exception> interruptExceptions() {
    return Stream.of(
        new ClosedByInterruptException(),
        new InterruptedIOException("interrupted"),
        new IllegalStateException("wrapped", new InterruptedException()));
  }

  /**
   * Without the interrupt flag it is an ordinary failure, such as a read timeout or an interrupt of
   * another thread.
   */
  @ParameterizedTest
  @MethodSource("ordinaryFailures")
  void without_the_interrupt_flag_the_policy_decides(Exception ordinary) {
    Throwable thrown =
        catchThrowable(
            () ->
                Retry.of(RetryPolicy.immediate().maxRetries(2).build())
                    .run(
                        () -> {
                          attempts.incrementAndGet();
                          throw ordinary;
                        }));
    assertThat(thrown).isSameAs(ordinary);
    assertThat(attempts).hasValue(3);
  }

  static Stream<Exception> ordinaryFailures() {
    return Stream.of(
        new SocketTimeoutException("read timed out"),
        new InterruptedIOException("timeout"),
        new ExecutionException(new InterruptedException()));
  }

  /** A stage that depends on a canceled one fails with a wrapped CancellationException. */
  @ParameterizedTest
  @MethodSource("cancellations")
  void a_canceled_attempt_ends_the_call_even_if_wrapped(Exception cancellation) {
    List<String> events = new ArrayList<>();
    Throwable thrown =
        catchThrowable(
            () ->
                Retry.builder(RetryPolicy.immediate().build())
                    .listener(new RecordingRetryListener(events))
                    .build()
                    .run(
                        () -> {
                          attempts.incrementAndGet();
                          throw cancellation;
                        }));
    assertThat(thrown).isSameAs(cancellation);
    assertThat(attempts).hasValue(1);
    assertThat(events).containsExactly("given up after 1: CANCELED");
  }

  static Stream<Exception> cancellations() {
    return Stream.of(
        new CancellationException(),
        new CompletionException(new CancellationException()),
        new ExecutionException(new CancellationException()));
  }

  @Test
  void a_rejected_result_is_returned_when_the_wait_is_interrupted() {
    FakeTimeProvider time = FakeTimeProvider.startingAt(Instant.EPOCH);
    time.schedule(Thread.currentThread()::interrupt, ofMinutes(1));
    List<String> events = new ArrayList<>();
    String result =
        Retry.builder(hourly)
            .timeProvider(time)
            .retryOnResult(any -> true)
            .listener(new RecordingRetryListener(events))
            .build()
            .call(() -> "rejected " + attempts.incrementAndGet());
    assertThat(Thread.interrupted()).isTrue();
    assertThat(result).isEqualTo("rejected 1");
    assertThat(events).containsExactly("retry", "given up after 1: INTERRUPTED");
  }

  @Test
  void a_rejected_result_of_an_interrupted_attempt_is_returned_without_a_retry() {
    List<String> events = new ArrayList<>();
    String result =
        Retry.builder(hourly)
            .retryOnResult(any -> true)
            .listener(new RecordingRetryListener(events))
            .build()
            .call(
                () -> {
                  Thread.currentThread().interrupt();
                  return "rejected " + attempts.incrementAndGet();
                });
    assertThat(Thread.interrupted()).isTrue();
    assertThat(result).isEqualTo("rejected 1");
    assertThat(events).containsExactly("given up after 1: INTERRUPTED");
  }

  /** Records retries and give-ups. */
  private record RecordingRetryListener(List<String> events) implements RetryListener {
    @Override
    public void onRetry(RetryEvent event) {
      events.add("retry");
    }

    @Override
    public void onGiveUp(GiveUpEvent event) {
      events.add("given up after " + event.attempts() + ": " + event.reason());
    }
  }

  @Test
  void canceling_the_future_ends_the_wait_and_leaves_no_timer() {
    FakeTimeProvider time = FakeTimeProvider.startingAt(Instant.EPOCH);
    Retry retry = Retry.builder(hourly).timeProvider(time).executor(Runnable::run).build();
    CompletableFuture<String> future =
        retry.callAsync(
            () -> {
              attempts.incrementAndGet();
              return CompletableFuture.failedFuture(new IOException("no"));
            });

    assertThat(time.pending()).isEqualTo(1);
    future.cancel(true);
    time.advance(ofHours(100));

    assertThat(attempts).hasValue(1);
    assertThat(time.pending()).isZero();
    assertThat(future).isCancelled();
  }

  @Test
  void canceling_the_future_cancels_the_running_attempt() {
    CompletableFuture<String> attempt = new CompletableFuture<>();
    CompletableFuture<String> future = Retry.of(hourly).callAsync(() -> attempt);

    future.cancel(true);

    assertThat(attempt).isCancelled();
    assertThat(attempts).hasValue(0);
  }

  @Test
  void an_attempt_canceled_from_outside_is_not_repeated() {
    CompletableFuture<String> future =
        Retry.of(RetryPolicy.fixed(ofMillis(1)).build())
            .callAsync(
                () -> {
                  attempts.incrementAndGet();
                  return CompletableFuture.failedFuture(new CancellationException());
                });

    assertThat(future).isCompletedExceptionally();
    assertThat(attempts).hasValue(1);
  }
}
