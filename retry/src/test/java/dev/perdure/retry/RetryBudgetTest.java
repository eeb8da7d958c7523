// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.perdure.policy.RetryPolicy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetryBudgetTest {

  private final RetryPolicy eager = RetryPolicy.immediate().maxRetries(3).build();

  private static void fail(Retry retry, AtomicLong attempts) {
    assertThat(
            catchThrowable(
                () ->
                    retry.run(
                        () -> {
                          attempts.incrementAndGet();
                          throw new IOException("down");
                        })))
        .isInstanceOf(IOException.class);
  }

  @Test
  void allows_the_reserve_and_then_its_share() {
    RetryBudget budget = RetryBudget.create();
    Retry retry = Retry.builder(eager).budget(budget).build();
    AtomicLong attempts = new AtomicLong();
    for (int i = 0; i < 1_000; i++) {
      fail(retry, attempts);
    }
    // A reserve of 10, plus 100 for 1,000 calls. The first call adds nothing to a full bucket.
    assertThat(attempts.get() - 1_000).isBetween(109L, 110L);
  }

  @Test
  void reports_the_stop_reason() {
    Retry retry = Retry.builder(eager).budget(RetryBudget.of(0.1, 1)).build();
    Throwable thrown =
        catchThrowable(
            () ->
                retry.run(
                    () -> {
                      throw new IOException("down");
                    }));
    assertThat(thrown).isInstanceOf(IOException.class);
    assertThat(RetrySummary.of(thrown).orElseThrow().reason())
        .isEqualTo(StopReason.BUDGET_EXHAUSTED);
  }

  @Test
  void a_retry_that_the_policy_denies_takes_no_token() {
    RetryBudget budget = RetryBudget.of(0.1, 5);
    AtomicLong attempts = new AtomicLong();
    fail(Retry.builder(RetryPolicy.none()).budget(budget).build(), attempts);
    assertThat(budget.available()).isEqualTo(5);
  }

  @ParameterizedTest
  @CsvSource({"0.1, 10, 4", "0.5, 1, 8", "1.0, 3, 2", "0.01, 100, 16"})
  void many_threads_never_exceed_the_share(double ratio, int reserve, int threads)
      throws Exception {
    Retry retry = Retry.builder(eager).budget(RetryBudget.of(ratio, reserve)).build();
    AtomicLong attempts = new AtomicLong();
    int calls = 2_000;
    CyclicBarrier start = new CyclicBarrier(threads);
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      List<Future<?>> done = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        done.add(
            pool.submit(
                () -> {
                  start.await();
                  for (int i = 0; i < calls; i++) {
                    fail(retry, attempts);
                  }
                  return null;
                }));
      }
      for (Future<?> thread : done) {
        thread.get();
      }
    }
    long made = (long) calls * threads;
    assertThat(attempts.get() - made)
        .isLessThanOrEqualTo(Math.round(ratio * made) + reserve)
        .isGreaterThanOrEqualTo(reserve);
  }

  @Test
  void concurrent_threads_never_take_the_same_token() throws Exception {
    int reserve = 1_000_000;
    RetryBudget budget = RetryBudget.of(0.1, reserve);
    int threads = 4;
    CyclicBarrier start = new CyclicBarrier(threads);
    AtomicLong taken = new AtomicLong();
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      List<Future<?>> done = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        done.add(
            pool.submit(
                () -> {
                  start.await();
                  long count = 0;
                  while (budget.take()) {
                    count++;
                  }
                  return taken.addAndGet(count);
                }));
      }
      for (Future<?> thread : done) {
        thread.get();
      }
    }
    assertThat(taken).hasValue(reserve);
  }

  @Test
  void accumulates_at_most_its_reserve() {
    RetryBudget budget = RetryBudget.of(0.7, 1);
    assertThat(budget.take()).isTrue();
    budget.deposit();
    assertThat(budget.take()).isFalse();
    budget.deposit();
    assertThat(budget.take()).isTrue();
    budget.deposit();
    assertThat(budget.take()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -1, 1.1, Double.NaN, 1e-9})
  void rejects_an_invalid_ratio(double ratio) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RetryBudget.of(ratio, 10))
        .withMessageContaining("ratio");
  }

  @Test
  void rejects_a_reserve_of_zero() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RetryBudget.of(0.1, 0))
        .withMessageContaining("reserve");
  }
}
