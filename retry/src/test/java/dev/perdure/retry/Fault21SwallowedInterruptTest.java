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

/** An interrupt or a cancel during the wait is swallowed, and attempts go on. */
class Fault21SwallowedInterruptTest {

  private final AtomicInteger attempts = new AtomicInteger();
  private final RetryPolicy hourly = RetryPolicy.fixed(ofHours(1)).unlimitedRetries().build();

  @Test
  void an_interrupt_during_the_wait_ends_the_call_at_once_and_stays_set() throws Exception {
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
    RetrySummary history = RetrySummary.of(thrown.get()).orElseThrow();
    assertThat(history.reason()).isEqualTo(StopReason.INTERRUPTED);
    assertThat(history.attempts()).isEqualTo(1);
    assertThat(flag).isTrue();
  }

  @Test
  void an_interrupt_seen_by_the_call_itself_is_not_a_failure() {
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
  void listeners_hear_that_an_interrupted_wait_was_given_up() {
    FakeTimeProvider waits = FakeTimeProvider.startingAt(Instant.EPOCH);
    Thread caller = Thread.currentThread();
    waits.schedule(caller::interrupt, ofMinutes(90));
    List<String> heard = new ArrayList<>();
    Throwable thrown =
        catchThrowable(
            () ->
                Retry.builder(hourly)
                    .timeProvider(waits)
                    .random(new SplittableRandom(1))
                    .listener(new RecordingRetryListener(heard))
                    .build()
                    .run(
                        () -> {
                          attempts.incrementAndGet();
                          throw new IOException("no");
                        }));

    assertThat(Thread.interrupted()).isTrue();
    assertThat(thrown).hasMessage("no");
    assertThat(attempts).hasValue(2);
    assertThat(heard).containsExactly("retry", "retry", "given up after 2: INTERRUPTED");
  }

  @ParameterizedTest
  @MethodSource("marksOfAnInterrupt")
  void what_an_interrupt_makes_of_an_attempt_ends_the_call(Exception mark) {
    List<String> heard = new ArrayList<>();
    Throwable thrown =
        catchThrowable(
            () ->
                Retry.builder(RetryPolicy.immediate().build())
                    .listener(new RecordingRetryListener(heard))
                    .build()
                    .run(
                        () -> {
                          attempts.incrementAndGet();
                          Thread.currentThread().interrupt();
                          throw mark;
                        }));

    assertThat(Thread.interrupted()).isTrue();
    assertThat(thrown).isSameAs(mark);
    assertThat(attempts).hasValue(1);
    assertThat(heard).containsExactly("given up after 1: INTERRUPTED");
  }

  static Stream<Exception> marksOfAnInterrupt() {
    return Stream.of(
        new ClosedByInterruptException(),
        new InterruptedIOException("interrupted"),
        new IllegalStateException("wrapped", new InterruptedException()));
  }

  /** Without the flag it is an ordinary failure: a read that timed out, or somebody else's. */
  @ParameterizedTest
  @MethodSource("ordinaryFailures")
  void without_the_flag_it_is_left_to_the_policy(Exception ordinary) {
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

  /** A stage that depends on a cancelled one says it in other words. */
  @ParameterizedTest
  @MethodSource("cancellations")
  void a_cancelled_attempt_ends_the_call_however_it_is_wrapped(Exception cancellation) {
    List<String> heard = new ArrayList<>();
    Throwable thrown =
        catchThrowable(
            () ->
                Retry.builder(RetryPolicy.immediate().build())
                    .listener(new RecordingRetryListener(heard))
                    .build()
                    .run(
                        () -> {
                          attempts.incrementAndGet();
                          throw cancellation;
                        }));
    assertThat(thrown).isSameAs(cancellation);
    assertThat(attempts).hasValue(1);
    assertThat(heard).containsExactly("given up after 1: CANCELED");
  }

  static Stream<Exception> cancellations() {
    return Stream.of(
        new CancellationException(),
        new CompletionException(new CancellationException()),
        new ExecutionException(new CancellationException()));
  }

  @Test
  void a_refused_result_stands_when_the_thread_is_interrupted() {
    FakeTimeProvider waits = FakeTimeProvider.startingAt(Instant.EPOCH);
    waits.schedule(Thread.currentThread()::interrupt, ofMinutes(1));
    List<String> heard = new ArrayList<>();
    String result =
        Retry.builder(hourly)
            .timeProvider(waits)
            .retryOnResult(any -> true)
            .listener(new RecordingRetryListener(heard))
            .build()
            .call(() -> "refused " + attempts.incrementAndGet());
    assertThat(Thread.interrupted()).isTrue();
    assertThat(result).isEqualTo("refused 1");
    assertThat(heard).containsExactly("retry", "given up after 1: INTERRUPTED");
  }

  @Test
  void a_refused_result_of_an_interrupted_attempt_stands_and_nobody_hears_of_a_retry() {
    List<String> heard = new ArrayList<>();
    String result =
        Retry.builder(hourly)
            .retryOnResult(any -> true)
            .listener(new RecordingRetryListener(heard))
            .build()
            .call(
                () -> {
                  Thread.currentThread().interrupt();
                  return "refused " + attempts.incrementAndGet();
                });
    assertThat(Thread.interrupted()).isTrue();
    assertThat(result).isEqualTo("refused 1");
    assertThat(heard).containsExactly("given up after 1: INTERRUPTED");
  }

  /** Writes down what it hears. */
  private record RecordingRetryListener(List<String> heard) implements RetryListener {
    @Override
    public void onRetry(RetryEvent event) {
      heard.add("retry");
    }

    @Override
    public void onGiveUp(GiveUpEvent event) {
      heard.add("given up after " + event.attempts() + ": " + event.reason());
    }
  }

  @Test
  void cancelling_the_future_ends_the_wait_and_leaves_nothing_behind() {
    FakeTimeProvider waits = FakeTimeProvider.startingAt(Instant.EPOCH);
    Retry retry = Retry.builder(hourly).timeProvider(waits).executor(Runnable::run).build();
    CompletableFuture<String> future =
        retry.callAsync(
            () -> {
              attempts.incrementAndGet();
              return CompletableFuture.failedFuture(new IOException("no"));
            });

    assertThat(waits.pending()).isEqualTo(1);
    future.cancel(true);
    waits.advance(ofHours(100));

    assertThat(attempts).hasValue(1);
    assertThat(waits.pending()).isZero();
    assertThat(future).isCancelled();
  }

  @Test
  void cancelling_the_future_cancels_the_attempt_under_way() {
    CompletableFuture<String> underWay = new CompletableFuture<>();
    CompletableFuture<String> future = Retry.of(hourly).callAsync(() -> underWay);

    future.cancel(true);

    assertThat(underWay).isCancelled();
    assertThat(attempts).hasValue(0);
  }

  @Test
  void an_attempt_that_was_cancelled_by_somebody_else_is_not_repeated() {
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
