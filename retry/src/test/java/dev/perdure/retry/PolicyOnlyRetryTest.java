// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.sun.management.ThreadMXBean;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.retry.testing.FakeTimeProvider;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** A retry with nothing to it but a policy costs a call that goes well nothing. */
class PolicyOnlyRetryTest {

  private static final int CALLS = 100_000;

  private final Retry plain = Retry.of(RetryPolicy.http());
  private int lengths;

  private static long allocatedBy(Runnable work) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    work.run();
    long before = threads.getCurrentThreadAllocatedBytes();
    work.run();
    return threads.getCurrentThreadAllocatedBytes() - before;
  }

  @Test
  void success_allocates_nothing() {
    ThrowingCall<String, RuntimeException> call = () -> "done";
    ThrowingAction<RuntimeException> action = () -> {};
    Supplier<String> wrapped = plain.wrapSupplier(() -> "done");
    long bytes =
        allocatedBy(
            () -> {
              int length = 0;
              for (int i = 0; i < CALLS; i++) {
                length += plain.call(call).length() + wrapped.get().length();
                plain.run(action);
              }
              lengths = length;
            });
    // Less than a byte a call: what the measurement itself may need.
    assertThat(bytes).isLessThan(CALLS);
    assertThat(lengths).isEqualTo(2 * CALLS * "done".length());
  }

  @Test
  void success_does_not_look_at_the_clock() {
    AtomicInteger looks = new AtomicInteger();
    Retry retry =
        Retry.builder(RetryPolicy.http()).timeProvider(new CountingTimeProvider(looks)).build();
    retry.run(() -> {});
    assertThat(looks).hasValue(0);
  }

  /** So it is not plain: the clock is looked at before the first attempt. */
  @Test
  void an_expiry_counts_the_time_of_the_first_attempt() {
    FakeTimeProvider waits = FakeTimeProvider.startingAt(Instant.EPOCH);
    RetryPolicy policy = RetryPolicy.fixed(ofSeconds(1)).expiresAfter(ofSeconds(30)).build();
    Throwable thrown =
        catchThrowable(
            () ->
                Retry.builder(policy)
                    .timeProvider(waits)
                    .build()
                    .run(
                        () -> {
                          waits.advance(ofSeconds(40));
                          throw new IOException("no");
                        }));
    RetrySummary history = RetrySummary.of(thrown).orElseThrow();
    assertThat(history.reason()).isEqualTo(StopReason.EXPIRED);
    assertThat(history.attempts()).isEqualTo(1);
  }

  @Test
  void failure_counts_the_attempt_that_nobody_watched() {
    FakeTimeProvider waits = FakeTimeProvider.startingAt(Instant.EPOCH);
    Retry retry =
        Retry.builder(RetryPolicy.fixed(ofSeconds(1)).maxRetries(2).build())
            .timeProvider(waits)
            .build();
    AtomicInteger attempts = new AtomicInteger();
    Throwable thrown =
        catchThrowable(
            () ->
                retry.run(
                    () -> {
                      attempts.incrementAndGet();
                      throw new IOException("no");
                    }));
    assertThat(attempts).hasValue(3);
    assertThat(RetrySummary.of(thrown).orElseThrow().attempts()).isEqualTo(3);
    assertThat(thrown.getSuppressed()).hasSize(3);
  }

  @Test
  void a_callable_and_a_function_retry_by_themselves() throws Exception {
    Retry retry = Retry.of(RetryPolicy.immediate().build());
    AtomicInteger attempts = new AtomicInteger();
    assertThat(
            retry
                .wrapCallable(
                    () -> {
                      if (attempts.incrementAndGet() < 3) {
                        throw new IOException("no");
                      }
                      return "done";
                    })
                .call())
        .isEqualTo("done");
    assertThat(
            retry
                .<Integer, Integer>wrapFunction(
                    divisor -> 10 / (divisor - attempts.getAndDecrement()))
                .apply(3))
        .isEqualTo(10);
  }

  /** Counts who looks at the clock. */
  private static final class CountingTimeProvider extends ForwardingTimeProvider {
    private final AtomicInteger looks;

    CountingTimeProvider(AtomicInteger looks) {
      super(FakeTimeProvider.startingAt(Instant.EPOCH));
      this.looks = looks;
    }

    @Override
    public long nanoTime() {
      looks.incrementAndGet();
      return super.nanoTime();
    }

    @Override
    public Instant now() {
      looks.incrementAndGet();
      return super.now();
    }
  }
}
