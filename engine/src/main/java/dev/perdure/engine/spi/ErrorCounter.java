// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import dev.perdure.engine.query.ErrorGroup;
import dev.perdure.engine.query.ErrorGroups;
import dev.perdure.engine.query.ErrorQuery;
import dev.perdure.engine.spi.ErrorTable.ErrorCount;
import dev.perdure.engine.spi.ErrorTable.ErrorPair;
import dev.perdure.engine.spi.ErrorTable.ErrorTimes;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.Shards;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Groups failed tasks by error, the same way on every store. First it finds which errors there are,
 * without reading their tasks, then it counts the tasks of those that failed last.
 */
public final class ErrorCounter {

  private final ErrorQuery query;
  private final int shards;
  private final ErrorTimes times;
  private final Duration step;
  private final Map<String, Group> groups = new LinkedHashMap<>();
  private boolean complete = true;

  /** What is known of a group so far. */
  private static final class Group {
    private @Nullable String error;
    private @Nullable String failureKind;
    private final Map<String, Long> kinds = new TreeMap<>();
    private final Map<String, Long> reasons = new TreeMap<>();
    private final long[] spark = new long[ErrorQuery.BUCKETS];
    private long count;
    private boolean capped;
    private Instant firstAt = Instant.MAX;
    private Instant lastAt = Instant.MIN;
    private Instant sampleAt = Instant.MIN;
    private @Nullable UUID sample;

    void sample(@Nullable UUID task, Instant at, @Nullable String errorOfTask) {
      if (task != null && at.isAfter(sampleAt)) {
        sample = task;
        sampleAt = at;
        error = errorOfTask;
      }
    }
  }

  public ErrorCounter(ErrorQuery query, int shards, Instant now) {
    this.query = query;
    this.shards = shards;
    this.step = Duration.ofMillis(Math.ceilDiv(query.since().toMillis(), ErrorQuery.BUCKETS));
    Instant from = now.minus(step.multipliedBy(ErrorQuery.BUCKETS));
    this.times =
        new ErrorTimes(
            LongStream.range(0, ErrorQuery.BUCKETS)
                .mapToObj(bucket -> from.plus(step.multipliedBy(bucket)))
                .toList());
  }

  public <X extends Exception> ErrorGroups count(ErrorTable<X> table) throws X {
    if (query.retries()) {
      countRetries(table);
    } else {
      countFailures(table);
    }
    List<Group> newest =
        groups.values().stream()
            .filter(group -> group.count > 0)
            .sorted(Comparator.comparing((Group group) -> group.lastAt).reversed())
            .toList();
    complete &= newest.size() <= ErrorQuery.MAX_GROUPS;
    List<Group> shown = newest.stream().limit(ErrorQuery.MAX_GROUPS).toList();
    Map<UUID, Attempt> attempts = lastAttempts(table, shown);
    return new ErrorGroups(
        times.from(), step, shown.stream().map(group -> group(group, attempts)).toList(), complete);
  }

  private <X extends Exception> void countRetries(ErrorTable<X> table) throws X {
    int look = Math.ceilDiv(ErrorQuery.MAX_RETRIES, shards);
    for (int shard = 0; shard < shards; shard++) {
      List<ErrorCount> counts = table.retries(shard, times, look);
      complete &= sum(counts) < look;
      counts.forEach(this::add);
    }
  }

  private <X extends Exception> void countFailures(ErrorTable<X> table) throws X {
    Map<Integer, List<ErrorPair>> pairs = new HashMap<>();
    for (int shard = 0; shard < shards; shard++) {
      List<ErrorPair> found = table.pairs(shard, ErrorQuery.MAX_PAIRS);
      complete &= found.size() < ErrorQuery.MAX_PAIRS;
      pairs.put(shard, found.stream().filter(this::isWanted).toList());
    }
    Set<String> newest = newest(pairs.values().stream().flatMap(List::stream));
    pairs.replaceAll(
        (shard, all) -> all.stream().filter(pair -> newest.contains(key(pair))).toList());
    int total = pairs.values().stream().mapToInt(List::size).sum();
    int limit = Math.clamp(ErrorQuery.MAX_LOOK / Math.max(1, total), 1, ErrorQuery.MAX_COUNTED);
    for (Map.Entry<Integer, List<ErrorPair>> some : pairs.entrySet()) {
      some.getValue().forEach(this::addSample);
      if (!some.getValue().isEmpty()) {
        List<ErrorCount> counts = table.counts(some.getKey(), some.getValue(), times, limit);
        counts.forEach(this::add);
        markCapped(counts, limit);
      }
      List<ErrorCount> without = table.withoutError(some.getKey(), times, ErrorQuery.MAX_COUNTED);
      without.forEach(this::add);
      if (sum(without) >= ErrorQuery.MAX_COUNTED) {
        without.forEach(count -> group(count).capped = true);
      }
    }
  }

  private boolean isWanted(ErrorPair pair) {
    return !pair.lastAt().isBefore(times.from())
        && (query.kind() == null || query.kind().equals(pair.kind()));
  }

  /** The groups that failed last. */
  private Set<String> newest(Stream<ErrorPair> pairs) {
    Map<String, Instant> last = new HashMap<>();
    pairs.forEach(pair -> last.merge(key(pair), pair.lastAt(), ErrorCounter::later));
    complete &= last.size() <= ErrorQuery.MAX_GROUPS;
    return last.entrySet().stream()
        .sorted(Map.Entry.<String, Instant>comparingByValue().reversed())
        .limit(ErrorQuery.MAX_GROUPS)
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  /** A combination of which as many tasks were found as it may have has more of them. */
  private void markCapped(List<ErrorCount> counts, int limit) {
    counts.stream()
        .collect(
            Collectors.groupingBy(
                count -> List.of(Objects.requireNonNull(count.error()), count.kind())))
        .values()
        .stream()
        .filter(some -> sum(some) >= limit)
        .forEach(some -> group(some.getFirst()).capped = true);
  }

  private static long sum(List<ErrorCount> counts) {
    return counts.stream().mapToLong(ErrorCount::tasks).sum();
  }

  private String key(ErrorPair pair) {
    return query.byKind() ? pair.kind() : pair.error();
  }

  private void addSample(ErrorPair pair) {
    groups
        .computeIfAbsent(key(pair), key -> new Group())
        .sample(pair.newest(), pair.lastAt(), pair.error());
  }

  private Group group(ErrorCount count) {
    String error = count.error() == null ? "?" + count.failureKind() : count.error();
    return groups.computeIfAbsent(query.byKind() ? count.kind() : error, key -> new Group());
  }

  private void add(ErrorCount count) {
    boolean tooOld = count.bucket() < 0;
    if (tooOld || (query.kind() != null && !query.kind().equals(count.kind()))) {
      return;
    }
    Group group = group(count);
    if (count.error() == null) {
      group.failureKind = count.failureKind();
    }
    group.count += count.tasks();
    group.kinds.merge(count.kind(), count.tasks(), Long::sum);
    if (count.giveUpReason() != null) {
      group.reasons.merge(count.giveUpReason(), count.tasks(), Long::sum);
    }
    group.spark[Math.min(count.bucket(), ErrorQuery.BUCKETS - 1)] += count.tasks();
    group.firstAt = count.firstAt().isBefore(group.firstAt) ? count.firstAt() : group.firstAt;
    group.lastAt = later(group.lastAt, count.lastAt());
    group.sample(count.sample(), count.lastAt(), count.error());
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  private static <X extends Exception> Map<UUID, Attempt> lastAttempts(
      ErrorTable<X> table, List<Group> shown) throws X {
    Map<Integer, List<UUID>> samples =
        shown.stream()
            .map(group -> group.sample)
            .filter(Objects::nonNull)
            .collect(Collectors.groupingBy(Shards::of));
    List<Attempt> found = new ArrayList<>();
    for (Map.Entry<Integer, List<UUID>> some : samples.entrySet()) {
      found.addAll(table.lastAttempts(some.getKey(), some.getValue()));
    }
    return found.stream().collect(Collectors.toMap(Attempt::task, attempt -> attempt));
  }

  private static ErrorGroup group(Group group, Map<UUID, Attempt> attempts) {
    return new ErrorGroup(
        group.error,
        group.failureKind,
        group.kinds,
        group.reasons,
        Math.min(group.count, ErrorQuery.MAX_COUNTED),
        group.capped || group.count > ErrorQuery.MAX_COUNTED,
        group.firstAt,
        group.lastAt,
        LongStream.of(group.spark).boxed().toList(),
        group.sample,
        group.sample == null ? null : attempts.get(group.sample));
  }
}
