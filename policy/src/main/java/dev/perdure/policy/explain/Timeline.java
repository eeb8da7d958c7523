// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.explain;

import dev.perdure.policy.Failure;
import dev.perdure.policy.GiveUpReason;
import dev.perdure.policy.LadderPosition;
import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The decisions of a policy, one entry per failed attempt, starting with attempt 0.
 *
 * <p>The age at attempt i is the sum of the unjittered delays before it. A delay that a server or
 * the work itself asked for counts in full. The attempts themselves take no time.
 */
public record Timeline(List<Entry> entries) {

  /** The maximum number of entries in a timeline. */
  public static final int MAX_ENTRIES = 100_000;

  public Timeline {
    entries = List.copyOf(entries);
  }

  /** What happens after one attempt has failed. */
  public sealed interface Entry {
    long attempt();
  }

  /**
   * A retry follows.
   *
   * @param base the delay before this retry, without jitter
   * @param delay the delay before this retry
   * @param total the sum of all delays up to this retry
   * @param ladderPosition the position on the ladder, if the delays for this failure come from one:
   *     the policy's own ladder, or that of the override that applies
   */
  public record Retry(
      long attempt,
      Duration base,
      Range delay,
      Range total,
      @Nullable LadderPosition ladderPosition)
      implements Entry {}

  /** The policy gives up. */
  public record End(long attempt, GiveUpReason reason) implements Entry {}

  /** A duration that depends on the jitter; {@code expected} is the mean, in whole milliseconds. */
  public record Range(Duration earliest, Duration expected, Duration latest) {

    static final Range ZERO = new Range(Duration.ZERO, Duration.ZERO, Duration.ZERO);

    Range cappedAt(Duration limit) {
      return new Range(min(earliest, limit), min(expected, limit), min(latest, limit));
    }

    private static Duration min(Duration one, Duration other) {
      return one.compareTo(other) <= 0 ? one : other;
    }

    Range plus(Range other) {
      return new Range(
          earliest.plus(other.earliest), expected.plus(other.expected), latest.plus(other.latest));
    }
  }

  /**
   * Returns the timeline until the policy gives up for the first time, or until it has {@code
   * maxEntries} entries.
   *
   * @param failures the i-th failure is used for attempt i, and the last one repeats; at least one
   * @param start when the work becomes due; matters only for {@code expires_at}
   */
  public static Timeline untilEnd(
      RetryPolicy policy, List<Failure> failures, Instant start, int maxEntries) {
    requireSize("maxEntries", maxEntries);
    TimelineBuilder builder = new TimelineBuilder(policy, failures, start);
    List<Entry> entries = new ArrayList<>();
    do {
      entries.add(builder.next());
    } while (entries.size() < maxEntries && entries.getLast() instanceof Retry);
    return new Timeline(entries);
  }

  /**
   * Returns the timeline with one entry for each of the given number of attempts, including those
   * after the policy gives up.
   */
  public static Timeline ofAttempts(
      RetryPolicy policy, List<Failure> failures, Instant start, int attempts) {
    requireSize("attempts", attempts);
    TimelineBuilder builder = new TimelineBuilder(policy, failures, start);
    List<Entry> entries = new ArrayList<>(attempts);
    for (int i = 0; i < attempts; i++) {
      entries.add(builder.next());
    }
    return new Timeline(entries);
  }

  /** Returns the number of retries. */
  public long retries() {
    return entries.stream().filter(Retry.class::isInstance).count();
  }

  /** Returns the sum of all delays. */
  public Range total() {
    for (Entry entry : entries.reversed()) {
      if (entry instanceof Retry retry) {
        return retry.total();
      }
    }
    return Range.ZERO;
  }

  /** Returns true if the policy never gives up in this timeline: more attempts would follow. */
  public boolean goesOn() {
    return entries.stream().noneMatch(End.class::isInstance);
  }

  /** Returns why the policy gives up; null if the last entry is a retry. */
  public @Nullable GiveUpReason end() {
    return !entries.isEmpty() && entries.getLast() instanceof End end ? end.reason() : null;
  }

  private static void requireSize(String name, int size) {
    if (size < 1 || size > MAX_ENTRIES) {
      throw new IllegalArgumentException(
          "%s must be between 1 and %d, not %d".formatted(name, MAX_ENTRIES, size));
    }
  }
}
