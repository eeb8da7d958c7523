// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.query.RetryWave;
import dev.perdure.engine.query.RetryWave.KindCounts;
import dev.perdure.engine.query.RetryWave.Peak;
import dev.perdure.engine.query.RetryWaveQuery;
import dev.perdure.engine.query.RetryWindow;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.Limit;
import dev.perdure.engine.task.Task;
import dev.perdure.testing.FakeClock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Counts of waiting retries by the time at which they become due. */
abstract class RetryWaveContract extends StoreContract {

  private static final RetryWaveQuery HOUR = RetryWaveQuery.of(RetryWindow.HOUR);

  RetryWaveContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  private RetryWave wave(RetryWaveQuery query) {
    return store.reader().retryWave(query);
  }

  /** Creates a retry that is due some time after the start of the clock. */
  private Task retry(String kind, String dueAfter) {
    return retry(TestTask.retrying(kind), Duration.parse(dueAfter));
  }

  private Task retry(TestTask definition, Duration dueAfter) {
    submit(definition);
    Task waiting = settle(running(definition.kind()), FAILED);
    return write(lifecycle.reschedule(waiting, DueTime.at(FakeClock.START.plus(dueAfter))));
  }

  /** The counts of an hour in which only these buckets have retries. */
  private static List<Long> counts(Map<Integer, Long> buckets) {
    Long[] counts = new Long[RetryWindow.HOUR.buckets()];
    Arrays.setAll(counts, i -> buckets.getOrDefault(i, 0L));
    return List.of(counts);
  }

  @ParameterizedTest
  @CsvSource({
    "MINUTE, 2026-03-01T12:07:31Z, PT1S, 60",
    "HOUR, 2026-03-01T12:07:00Z, PT1M, 60",
    "DAY, 2026-03-01T12:00:00Z, PT15M, 96",
    "FORTNIGHT, 2026-03-01T12:00:00Z, PT6H, 56"
  })
  void each_window_has_its_buckets(RetryWindow window, Instant from, Duration step, int buckets) {
    clock.advance(Duration.parse("PT7M31.234S"));

    RetryWave wave = wave(RetryWaveQuery.of(window));

    assertThat(wave)
        .isEqualTo(
            new RetryWave(
                Instant.parse("2026-03-01T12:07:31.234Z"),
                from,
                step,
                0,
                0,
                false,
                Collections.nCopies(buckets, 0L),
                List.of()));
    assertThat(wave.peak()).isEmpty();
  }

  @Test
  void each_retry_is_overdue_in_one_bucket_or_later() {
    for (String dueAfter :
        List.of(
            "PT0.001S",
            "PT30S",
            "PT30.001S",
            "PT59.999S",
            "PT1M",
            "PT1M",
            "PT2M",
            "PT59M59.999S",
            "PT1H",
            "P400D")) {
      retry("a", dueAfter);
    }
    clock.advance(Duration.ofSeconds(30));

    RetryWave wave = wave(HOUR);

    assertThat(wave.overdue()).isEqualTo(2);
    assertThat(wave.later()).isEqualTo(2);
    assertThat(wave.counts()).isEqualTo(counts(Map.of(0, 2L, 1, 2L, 2, 1L, 59, 1L)));
    assertThat(wave.estimated()).isFalse();
    assertThat(wave.from()).isEqualTo(FakeClock.START);
    assertThat(wave.peak()).as("the first of two").contains(new Peak(FakeClock.START, 2));
  }

  @Test
  void the_peak_is_the_start_of_the_highest_bucket() {
    retry("a", "PT90S");
    retry("a", "PT10M1S");
    retry("a", "PT10M59S");

    assertThat(wave(HOUR).peak())
        .contains(new Peak(FakeClock.START.plus(Duration.ofMinutes(10)), 2));
  }

  @Test
  void only_retries_that_can_start_are_counted() {
    submit(TestTask.withoutRetry("first"), DueTime.in(Duration.ofMinutes(5)));
    write(lifecycle.pause(retry("paused", "PT5M")));
    write(lifecycle.pause(retry("paused", "PT1S")));
    write(lifecycle.pause(retry("paused", "P1D")));
    write(lifecycle.cancel(retry("canceled", "PT5M")));
    retry(TestTask.retrying("limited").withLimits(Limit.concurrency(1)), Duration.ofMinutes(5));
    retry(TestTask.retrying("urgent").withPriority(1_000), Duration.ofMinutes(5));
    clock.advance(Duration.ofSeconds(2));

    RetryWave wave = wave(HOUR.withByKind(true));

    assertThat(wave.overdue()).isZero();
    assertThat(wave.later()).isZero();
    assertThat(wave.byKind())
        .containsExactly(
            new KindCounts("limited", counts(Map.of(5, 1L))),
            new KindCounts("urgent", counts(Map.of(5, 1L))));
  }

  @Test
  void counts_can_be_limited_to_a_kind() {
    for (String kind : List.of("a", "b")) {
      retry(kind, "PT1S");
      retry(kind, "PT5M");
      retry(kind, "P1D");
    }
    clock.advance(Duration.ofSeconds(1));

    for (boolean byKind : new boolean[] {false, true}) {
      RetryWave wave = wave(HOUR.withKind("b").withByKind(byKind));
      assertThat(wave.overdue()).isEqualTo(1);
      assertThat(wave.later()).isEqualTo(1);
      assertThat(wave.counts()).isEqualTo(counts(Map.of(5, 1L)));
      assertThat(wave.byKind()).hasSize(byKind ? 1 : 0);
    }
    assertThat(wave(HOUR.withKind("nothing")).counts()).isEqualTo(counts(Map.of()));
  }

  @Test
  void the_five_largest_kinds_are_counted_separately() {
    for (String kind : List.of("a", "b", "c", "d", "e", "f", "g")) {
      retry(kind, "PT5M");
    }
    for (String kind : List.of("c", "d", "e", "f", "g", "g")) {
      retry(kind, "PT6M");
    }

    RetryWave wave = wave(HOUR.withByKind(true));

    assertThat(wave.counts()).isEqualTo(counts(Map.of(5, 7L, 6, 6L)));
    assertThat(wave.byKind())
        .containsExactly(
            new KindCounts("g", counts(Map.of(5, 1L, 6, 2L))),
            new KindCounts("c", counts(Map.of(5, 1L, 6, 1L))),
            new KindCounts("d", counts(Map.of(5, 1L, 6, 1L))),
            new KindCounts("e", counts(Map.of(5, 1L, 6, 1L))),
            new KindCounts("f", counts(Map.of(5, 1L, 6, 1L))),
            new KindCounts(RetryWave.OTHER_KINDS, counts(Map.of(5, 2L))));
  }

  @Test
  void beyond_the_limit_each_bucket_is_estimated_from_its_first_part() {
    for (int i = 0; i < 16; i++) {
      retry(
          TestTask.retrying(i % 2 == 0 ? "a" : "b"), Duration.ofMinutes(5).plusMillis(i * 3_750L));
    }
    retry("a", "PT6M59S");
    List<Long> exact = counts(Map.of(5, 16L, 6, 1L));
    List<Long> estimated = counts(Map.of(5, 16L));

    assertThat(wave(HOUR.withMaxCounted(16)))
        .returns(false, RetryWave::estimated)
        .returns(exact, RetryWave::counts);
    for (int limit : new int[] {15, 8, 4, 2, 1}) {
      RetryWave wave = wave(HOUR.withMaxCounted(limit).withByKind(true));
      assertThat(wave.estimated()).as("limit %d", limit).isTrue();
      assertThat(wave.counts()).as("limit %d", limit).isEqualTo(estimated);
    }
    assertThat(wave(HOUR.withMaxCounted(4).withByKind(true)).byKind())
        .containsExactly(
            new KindCounts("a", counts(Map.of(5, 8L))), new KindCounts("b", counts(Map.of(5, 8L))));
  }

  @Test
  void counting_before_and_after_the_window_stops_at_the_limit() {
    for (int i = 0; i < 5; i++) {
      retry("a", "PT1S");
      retry("a", "P1D");
    }
    clock.advance(Duration.ofSeconds(1));

    RetryWave all = wave(HOUR.withMaxCounted(5));
    assertThat(all.estimated()).isFalse();
    assertThat(List.of(all.overdue(), all.later())).containsExactly(5L, 5L);
    RetryWave some = wave(HOUR.withMaxCounted(4));
    assertThat(some.estimated()).isTrue();
    assertThat(List.of(some.overdue(), some.later())).containsExactly(4L, 4L);
  }

  /** With several shards, each of them has the limit. */
  @Test
  void a_bucket_whose_first_part_is_empty_is_counted_up_to_the_limit() {
    for (int i = 0; i < 9; i++) {
      retry("a", "PT5M59S");
    }

    RetryWave wave = wave(HOUR.withMaxCounted(2));

    assertThat(wave.counts().get(5)).isBetween(3L, 9L);
    assertThat(wave.estimated()).isEqualTo(wave.counts().get(5) < 9);
    assertThat(wave.estimated()).isEqualTo(shards == 1);
  }
}
