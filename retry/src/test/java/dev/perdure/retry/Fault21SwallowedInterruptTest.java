// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.perdure.policy.RetryPolicy;
import dev.perdure.retry.testing.FakeWaits;
import java.io.IOException;
import java.time.Instant;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

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
    assertThat(RetryHistory.of(thrown.get()).orElseThrow().reason())
        .isEqualTo(StopReason.INTERRUPTED);
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
  void cancelling_the_future_ends_the_wait_and_leaves_nothing_behind() {
    FakeWaits waits = FakeWaits.startingAt(Instant.EPOCH);
    Retry retry = Retry.with(hourly).waits(waits).executor(Runnable::run).build();
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
