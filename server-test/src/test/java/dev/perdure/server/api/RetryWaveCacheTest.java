// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.query.RetryWave;
import dev.perdure.engine.query.RetryWaveQuery;
import dev.perdure.engine.query.RetryWindow;
import dev.perdure.server.http.HttpProblemException;
import dev.perdure.testing.FakeClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RetryWaveCacheTest {

  private static final Duration MILLI = Duration.ofMillis(1);
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final RetryWaveQuery HOUR = RetryWaveQuery.of(RetryWindow.HOUR);

  private final FakeClock clock = new FakeClock();
  private final List<RetryWaveQuery> counted = new ArrayList<>();
  private final RetryWaveCache cache = new RetryWaveCache(this::count, clock, LONG);

  private synchronized RetryWave count(RetryWaveQuery query) {
    counted.add(query);
    return new RetryWave(
        clock.instant(),
        clock.instant(),
        query.window().step(),
        counted.size(),
        0,
        false,
        List.of(0L),
        List.of());
  }

  @ParameterizedTest
  @CsvSource({"MINUTE, PT1S", "HOUR, PT15S", "DAY, PT2M", "FORTNIGHT, PT10M"})
  void a_wave_is_kept_for_a_while(RetryWindow window, Duration time) {
    RetryWaveQuery query = RetryWaveQuery.of(window);
    RetryWave first = cache.get(query);
    clock.advance(time.minus(MILLI));
    assertThat(cache.get(query)).isSameAs(first);

    clock.advance(MILLI);
    assertThat(cache.get(query)).isNotSameAs(first);
    assertThat(counted).hasSize(2);
  }

  @Test
  void each_window_kind_and_split_is_counted_on_its_own() {
    List<RetryWaveQuery> queries =
        List.of(
            HOUR,
            RetryWaveQuery.of(RetryWindow.DAY),
            HOUR.withKind("a"),
            HOUR.withKind("b"),
            HOUR.withByKind(true));
    queries.forEach(cache::get);
    queries.forEach(cache::get);

    assertThat(counted).isEqualTo(queries);
  }

  @Test
  void a_wave_is_not_used_after_the_clock_was_set_back() {
    cache.get(HOUR);
    clock.set(FakeClock.START.minus(Duration.ofDays(1)));
    cache.get(HOUR);

    assertThat(counted).hasSize(2);
  }

  @Test
  void the_number_of_waves_has_a_limit() {
    cache.get(HOUR.withKind("first"));
    for (int i = 1; i < RetryWaveCache.MAX_KEPT; i++) {
      clock.advance(MILLI);
      cache.get(HOUR.withKind("kind " + i));
    }
    cache.get(HOUR.withKind("first"));
    assertThat(counted).as("all are kept").hasSize(RetryWaveCache.MAX_KEPT);

    cache.get(HOUR.withKind("last"));
    cache.get(HOUR.withKind("kind 1"));
    assertThat(counted).as("room for one more").hasSize(RetryWaveCache.MAX_KEPT + 1);
    cache.get(HOUR.withKind("first"));
    assertThat(counted).as("the oldest was dropped").hasSize(RetryWaveCache.MAX_KEPT + 2);
  }

  @Test
  void a_failure_is_not_kept() {
    RetryWaveCache failing =
        new RetryWaveCache(
            query -> {
              if (counted.isEmpty()) {
                count(query);
                throw new IllegalStateException("unavailable");
              }
              return count(query);
            },
            clock,
            LONG);

    assertThatThrownBy(() -> failing.get(HOUR)).hasMessage("unavailable");
    assertThat(failing.get(HOUR).overdue()).isEqualTo(2);
  }

  @Test
  void requests_for_the_same_wave_wait_for_one_count() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch finish = new CountDownLatch(1);
    RetryWaveCache slow =
        new RetryWaveCache(
            query -> {
              started.countDown();
              await(finish);
              return count(query);
            },
            clock,
            LONG);
    CompletableFuture<RetryWave> first = CompletableFuture.supplyAsync(() -> slow.get(HOUR));
    await(started);
    CompletableFuture<RetryWave> second = CompletableFuture.supplyAsync(() -> slow.get(HOUR));
    finish.countDown();

    assertThat(second.get(30, TimeUnit.SECONDS)).isSameAs(first.get(30, TimeUnit.SECONDS));
    assertThat(counted).hasSize(1);
  }

  @Test
  void a_request_that_waits_too_long_is_refused_and_kept_waves_are_still_shown() {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch finish = new CountDownLatch(1);
    RetryWave kept = count(HOUR);
    RetryWaveCache busy =
        new RetryWaveCache(
            query -> {
              if (query.kind() != null) {
                started.countDown();
                await(finish);
              }
              return kept;
            },
            clock,
            MILLI);
    busy.get(HOUR);
    CompletableFuture<RetryWave> running =
        CompletableFuture.supplyAsync(() -> busy.get(HOUR.withKind("slow")));
    await(started);
    try {
      assertThat(busy.get(HOUR)).isSameAs(kept);
      assertThatThrownBy(() -> busy.get(HOUR.withByKind(true)))
          .isInstanceOfSatisfying(
              HttpProblemException.class, refused -> assertThat(refused.status()).isEqualTo(503));
    } finally {
      finish.countDown();
    }
    assertThat(running.join()).isSameAs(kept);
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
