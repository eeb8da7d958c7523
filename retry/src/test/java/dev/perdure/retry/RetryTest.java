// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.perdure.policy.Jitter;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.retry.testing.FakeWaits;
import java.io.IOException;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RetryTest {

  private final FakeWaits waits = FakeWaits.startingAt(Instant.parse("2026-01-01T00:00:00Z"));
  private final RetryPolicy policy =
      RetryPolicy.exponential(ofSeconds(1)).jitter(Jitter.none()).build();
  private final AtomicInteger attempts = new AtomicInteger();

  @Test
  void tries_again_until_it_goes_well() throws IOException {
    Retry retry = Retry.with(policy).waits(waits).build();

    String answer =
        retry.call(
            () -> {
              if (attempts.incrementAndGet() < 3) {
                throw new IOException("not yet");
              }
              return "done";
            });

    assertThat(answer).isEqualTo("done");
    assertThat(attempts).hasValue(3);
    assertThat(waits.sleeps()).containsExactly(ofSeconds(1), ofSeconds(2));
  }

  @Test
  void throws_the_last_failure_with_the_earlier_ones_suppressed() {
    Retry retry = Retry.with(policy).waits(waits).build();

    Throwable thrown =
        catchThrowable(
            () ->
                retry.run(
                    () -> {
                      throw new IOException("no " + attempts.incrementAndGet());
                    }));

    assertThat(thrown).isInstanceOf(IOException.class).hasMessage("no 4");
    assertThat(thrown.getSuppressed()).extracting(Throwable::getMessage).startsWith("no 1", "no 2");
    assertThat(RetryHistory.of(thrown))
        .hasValueSatisfying(
            history -> {
              assertThat(history.attempts()).isEqualTo(4);
              assertThat(history.elapsed()).isEqualTo(ofSeconds(7));
              assertThat(history.reason()).isEqualTo(StopReason.EXHAUSTED);
            });
  }

  @Test
  void an_asynchronous_call_waits_without_a_thread() {
    Retry retry = Retry.with(policy).waits(waits).executor(Runnable::run).build();

    var future =
        retry.callAsync(
            () ->
                attempts.incrementAndGet() < 3
                    ? java.util.concurrent.CompletableFuture.<String>failedFuture(
                        new IOException("not yet"))
                    : java.util.concurrent.CompletableFuture.completedFuture("done"));

    waits.advance(ofMillis(2_999));
    assertThat(future).isNotDone();
    waits.advance(ofMillis(1));
    assertThat(future).isCompletedWithValue("done");
  }
}
