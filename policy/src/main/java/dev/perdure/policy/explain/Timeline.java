// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.explain;

import dev.perdure.policy.Backoff;
import dev.perdure.policy.Failure;
import dev.perdure.policy.GiveUpReason;
import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a policy decides after each failed attempt, one entry per attempt from 0 on.
 *
 * <p>The age at attempt i is the sum of the delays without jitter before it; a delay that a server
 * or the work itself asked for counts as it is. The attempts themselves take no time here.
 */
public record Timeline(List<Entry> entries) {

  /** The most entries of a timeline. */
  public static final int MAX_ENTRIES = 100_000;

  public Timeline {
    entries = List.copyOf(entries);
  }

  /** What happens after one attempt failed. */
  public sealed interface Entry {
    long attempt();
  }

  /**
   * A retry follows.
   *
   * @param delay the delay before this retry
   * @param total all the delays up to this retry
   * @param ladderPosition where on a ladder it stands, when the delays for its failure come from
   *     one: the policy's own, or that of the override that applies
   */
  public record Retry(
      long attempt,
      Duration base,
      Range delay,
      Range total,
      @Nullable LadderPosition ladderPosition)
      implements Entry {}

  /** Nothing follows. */
  public record End(long attempt, GiveUpReason reason) implements Entry {}

  /**
   * A length of time that depends on what is drawn; expected is the mean, in whole milliseconds.
   */
  public record Range(Duration earliest, Duration expected, Duration latest) {

    static final Range ZERO = new Range(Duration.ZERO, Duration.ZERO, Duration.ZERO);

    Range cappedAt(Duration most) {
      return new Range(min(earliest, most), min(expected, most), min(latest, most));
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
   * A place on a ladder, all counted from 1.
   *
   * @param retry which retry of its step it is
   * @param count the retries of this step, or 0 for ever
   */
  public record LadderPosition(int step, int steps, long retry, int count) {

    /** The place of the retry after attempt n, if the backoff is a ladder that reaches so far. */
    static @Nullable LadderPosition of(Backoff backoff, long n) {
      if (!(backoff instanceof Backoff.Ladder ladder)) {
        return null;
      }
      long rest = n;
      for (int i = 0; i < ladder.steps().size(); i++) {
        Backoff.Step step = ladder.steps().get(i);
        if (step.endless() || rest < step.count()) {
          return new LadderPosition(i + 1, ladder.steps().size(), rest + 1, step.count());
        }
        rest -= step.count();
      }
      return null;
    }
  }

  /**
   * The timeline until the policy gives up for the first time, or until the most entries.
   *
   * @param failures the i-th serves attempt i, the last one repeats; at least one
   * @param start when the work becomes due; only an expiry at an instant depends on it
   */
  public static Timeline untilEnd(
      RetryPolicy policy, List<Failure> failures, Instant start, int most) {
    requireSize("most", most);
    TimelineBuilder walk = new TimelineBuilder(policy, failures, start);
    List<Entry> entries = new ArrayList<>();
    do {
      entries.add(walk.next());
    } while (entries.size() < most && entries.getLast() instanceof Retry);
    return new Timeline(entries);
  }

  /** One entry for each of so many attempts, also past the end: a table of decisions. */
  public static Timeline ofAttempts(
      RetryPolicy policy, List<Failure> failures, Instant start, int attempts) {
    requireSize("attempts", attempts);
    TimelineBuilder walk = new TimelineBuilder(policy, failures, start);
    List<Entry> entries = new ArrayList<>(attempts);
    for (int i = 0; i < attempts; i++) {
      entries.add(walk.next());
    }
    return new Timeline(entries);
  }

  /** How many retries there are in it. */
  public long retries() {
    return entries.stream().filter(Retry.class::isInstance).count();
  }

  /** All its delays together. */
  public Range total() {
    for (Entry entry : entries.reversed()) {
      if (entry instanceof Retry retry) {
        return retry.total();
      }
    }
    return Range.ZERO;
  }

  /** Why it ends; null when its last entry is a retry. */
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
