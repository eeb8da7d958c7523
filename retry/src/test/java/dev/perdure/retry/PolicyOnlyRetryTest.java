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

/** A retry with only a policy adds no cost to a successful call. */
class PolicyOnlyRetryTest {

  private static final int CALLS = 100_000;

  private final Retry policyOnly = Retry.of(RetryPolicy.http());
  private int lengths;

  private static long allocatedBy(Runnable work) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    work.run();
    long before = threads.getCurrentThreadAllocatedBytes();
    work.run();
    return threads.getCurrentThreadAllocatedBytes() - before;
  }

  @Test
  void success_allocates_no_memory() {
    ThrowingCall<String, RuntimeException> call = () -> "done";
    ThrowingAction<RuntimeException> action = () -> {};
    Supplier<String> wrapped = policyOnly.wrapSupplier(() -> "done");
    long bytes =
        allocatedBy(
            () -> {
              int length = 0;
              for (int i = 0; i < CALLS; i++) {
                length += policyOnly.call(call).length() + wrapped.get().length();
                policyOnly.run(action);
              }
              lengths = length;
            });
    // Less than one byte per call: the measurement itself may allocate.
    assertThat(bytes).isLessThan(CALLS);
    assertThat(lengths).isEqualTo(2 * CALLS * "done".length());
  }

  @Test
  void success_does_not_read_the_clock() {
    AtomicInteger reads = new AtomicInteger();
    Retry retry =
        Retry.builder(RetryPolicy.http()).timeProvider(new CountingTimeProvider(reads)).build();
    retry.run(() -> {});
    assertThat(reads).hasValue(0);
  }

  /** A policy with an expiry reads the clock before the first attempt. */
  @Test
  void an_expiry_includes_the_time_of_the_first_attempt() {
    FakeTimeProvider time = FakeTimeProvider.startingAt(Instant.EPOCH);
    RetryPolicy policy = RetryPolicy.fixed(ofSeconds(1)).expiresAfter(ofSeconds(30)).build();
    Throwable thrown =
        catchThrowable(
            () ->
                Retry.builder(policy)
                    .timeProvider(time)
                    .build()
                    .run(
                        () -> {
                          time.advance(ofSeconds(40));
                          throw new IOException("no");
                        }));
    RetrySummary summary = RetrySummary.of(thrown).orElseThrow();
    assertThat(summary.reason()).isEqualTo(StopReason.EXPIRED);
    assertThat(summary.attempts()).isEqualTo(1);
  }

  @Test
  void failure_counts_the_first_attempt() {
    FakeTimeProvider time = FakeTimeProvider.startingAt(Instant.EPOCH);
    Retry retry =
        Retry.builder(RetryPolicy.fixed(ofSeconds(1)).maxRetries(2).build())
            .timeProvider(time)
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
  void a_wrapped_callable_and_function_are_retried() throws Exception {
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

  /** Counts how often the clock is read. */
  private static final class CountingTimeProvider extends ForwardingTimeProvider {
    private final AtomicInteger reads;

    CountingTimeProvider(AtomicInteger reads) {
      super(FakeTimeProvider.startingAt(Instant.EPOCH));
      this.reads = reads;
    }

    @Override
    public long nanoTime() {
      reads.incrementAndGet();
      return super.nanoTime();
    }

    @Override
    public Instant now() {
      reads.incrementAndGet();
      return super.now();
    }
  }
}
