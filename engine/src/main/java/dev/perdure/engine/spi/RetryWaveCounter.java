// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import dev.perdure.engine.query.RetryWave;
import dev.perdure.engine.query.RetryWave.KindCounts;
import dev.perdure.engine.query.RetryWaveQuery;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts a retry wave for a store, which only has to count the retries in ranges of due times.
 *
 * <p>It counts the first sixteenth of each bucket, then what is missing to an eighth, and so on. It
 * stops before a step that would probably exceed the limit of the query, and estimates the rest of
 * each bucket from its first part. Jitter spreads retries evenly inside a bucket, so the estimate
 * is good; without jitter it can be wrong by far.
 */
public final class RetryWaveCounter {

  private static final int FIRST_DIVISOR = 16;
  private static final Duration MILLI = Duration.ofMillis(1);

  private final RetryWaveQuery query;
  private final int shards;
  private final Instant now;
  private final Instant from;
  private final Map<String, long[]> retriesByKind = new HashMap<>();
  private boolean estimated;

  /**
   * @param now the database's time
   */
  public RetryWaveCounter(RetryWaveQuery query, int shards, Instant now) {
    this.query = query;
    this.shards = shards;
    this.now = now.truncatedTo(ChronoUnit.MILLIS);
    this.from = query.window().startOfBucket(now);
  }

  /** Counts waiting retries in a store. */
  @FunctionalInterface
  public interface RangeCounter<X extends Exception> {

    /**
     * Counts the retries in each range, in the order of their due times.
     *
     * @param limit how many entries of a range are read at most
     * @return for each range, one count for each kind if the query splits by kind, otherwise one
     *     count with any kind; a range without entries may be absent
     */
    List<RangeCount> count(int shard, List<DueRange> ranges, int limit) throws X;
  }

  /** The retries that are due after the one instant, up to and including the other. */
  public record DueRange(Instant after, Instant upTo) {

    /** The length in milliseconds. */
    long length() {
      return Math.max(0, after.until(upTo, ChronoUnit.MILLIS));
    }

    /** The end of the first part of the range, rounded up to a millisecond. */
    Instant cut(int divisor) {
      return after.plusMillis(Math.ceilDiv(length(), divisor));
    }
  }

  /**
   * The retries of a kind in a range.
   *
   * @param range the index of the range
   * @param entries the entries that were read
   * @param retries those that count: not held back, and of the kind of the query
   */
  public record RangeCount(int range, String kind, long entries, long retries) {}

  /** Counts the retries before the window, in its buckets, and after it. */
  public <X extends Exception> RetryWave count(RangeCounter<X> store) throws X {
    List<DueRange> buckets = buckets();
    long overdue = countEdge(store, new DueRange(Instant.MIN, now));
    long later = countEdge(store, new DueRange(buckets.getLast().upTo(), Instant.MAX));
    long entries = 0;
    int divisor = 2 * FIRST_DIVISOR;
    do {
      divisor /= 2;
      entries += countPart(store, buckets, divisor);
    } while (divisor > 1 && 2 * entries <= query.maxCounted());
    estimated |= divisor > 1;
    for (long[] retries : retriesByKind.values()) {
      extrapolate(retries, buckets, divisor);
    }
    List<Long> counts = sum();
    return new RetryWave(
        now, from, query.window().step(), overdue, later, estimated, counts, byKind(counts));
  }

  /**
   * The first bucket begins now. Bounds are a millisecond early, because their ends belong to them.
   */
  private List<DueRange> buckets() {
    List<DueRange> buckets = new ArrayList<>();
    Instant after = now;
    for (int i = 1; i <= query.window().buckets(); i++) {
      Instant upTo = from.plus(query.window().step().multipliedBy(i)).minus(MILLI);
      buckets.add(new DueRange(after, upTo));
      after = upTo;
    }
    return buckets;
  }

  /** Counts until the limit is exceeded. */
  private <X extends Exception> long countEdge(RangeCounter<X> store, DueRange range) throws X {
    long retries = 0;
    long left = query.maxCounted();
    for (int shard = 0; shard < shards && left >= 0; shard++) {
      for (RangeCount count : store.count(shard, List.of(range), Math.toIntExact(left + 1))) {
        retries += count.retries();
        left -= count.entries();
      }
    }
    estimated |= left < 0;
    return Math.min(retries, query.maxCounted());
  }

  /** Counts what has not been counted of the first part of each bucket. */
  private <X extends Exception> long countPart(
      RangeCounter<X> store, List<DueRange> buckets, int divisor) throws X {
    List<DueRange> parts =
        buckets.stream()
            .map(
                bucket ->
                    new DueRange(
                        divisor == FIRST_DIVISOR ? bucket.after() : bucket.cut(2 * divisor),
                        bucket.cut(divisor)))
            .toList();
    long entries = 0;
    for (int shard = 0; shard < shards; shard++) {
      long[] read = new long[parts.size()];
      for (RangeCount count : store.count(shard, parts, query.maxCounted() + 1)) {
        add(count);
        read[count.range()] += count.entries();
      }
      estimated |= Arrays.stream(read).anyMatch(one -> one > query.maxCounted());
      entries += Arrays.stream(read).sum();
    }
    return entries;
  }

  private void add(RangeCount count) {
    if (count.retries() > 0) {
      retriesByKind
              .computeIfAbsent(
                  query.byKind() ? count.kind() : RetryWave.OTHER_KINDS,
                  any -> new long[query.window().buckets()])[count.range()] +=
          count.retries();
    }
  }

  private static void extrapolate(long[] retries, List<DueRange> buckets, int divisor) {
    for (int i = 0; i < retries.length; i++) {
      long length = buckets.get(i).length();
      long counted = Math.ceilDiv(length, divisor);
      retries[i] = counted == 0 ? 0 : Math.round((double) retries[i] * length / counted);
    }
  }

  private List<Long> sum() {
    long[] sum = new long[query.window().buckets()];
    for (long[] retries : retriesByKind.values()) {
      Arrays.setAll(sum, i -> sum[i] + retries[i]);
    }
    return boxed(sum);
  }

  private List<KindCounts> byKind(List<Long> all) {
    if (!query.byKind()) {
      return List.of();
    }
    List<KindCounts> kinds = new ArrayList<>();
    long[] others = all.stream().mapToLong(Long::longValue).toArray();
    retriesByKind.entrySet().stream()
        .sorted(
            Comparator.comparingLong((Map.Entry<String, long[]> kind) -> -total(kind.getValue()))
                .thenComparing(Map.Entry::getKey))
        .limit(RetryWave.MAX_KINDS)
        .forEach(
            kind -> {
              Arrays.setAll(others, i -> others[i] - kind.getValue()[i]);
              kinds.add(new KindCounts(kind.getKey(), boxed(kind.getValue())));
            });
    if (retriesByKind.size() > RetryWave.MAX_KINDS) {
      kinds.add(new KindCounts(RetryWave.OTHER_KINDS, boxed(others)));
    }
    return kinds;
  }

  private static long total(long[] retries) {
    return Arrays.stream(retries).sum();
  }

  private static List<Long> boxed(long[] retries) {
    return Arrays.stream(retries).boxed().toList();
  }
}
