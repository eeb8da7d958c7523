// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.query;

import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Counts of all kinds together and of single kinds, and how long attempts ran and started late. Not
 * thread-safe.
 */
public final class RollupCounts {

  /** How many kinds are counted separately; further ones are part of the total only. */
  public static final int MAX_KINDS = 1_000;

  private static final int SIZE = RollupCounter.values().length;

  private final long[] total = new long[SIZE];
  private final Map<String, long[]> byKind = new HashMap<>();
  private final DurationHistogram runTimes = new DurationHistogram();
  private final DurationHistogram lateness = new DurationHistogram();

  /** All zero. */
  public RollupCounts() {}

  /** Adds to the total. */
  public void add(RollupCounter counter, long count) {
    total[counter.position()] += count;
  }

  /** Adds to a kind, but not to the total. */
  public void addToKind(String kind, RollupCounter counter, long count) {
    long[] counts = byKind.get(kind);
    if (counts == null) {
      if (byKind.size() >= MAX_KINDS) {
        return;
      }
      counts = new long[SIZE];
      byKind.put(kind, counts);
    }
    counts[counter.position()] += count;
  }

  /** Adds everything, kinds included. */
  public void add(RollupCounts other) {
    for (RollupCounter counter : RollupCounter.values()) {
      add(counter, other.total(counter));
      other.byKind.keySet().forEach(kind -> addToKind(kind, counter, other.ofKind(kind, counter)));
    }
    runTimes.add(other.runTimes);
    lateness.add(other.lateness);
  }

  public long total(RollupCounter counter) {
    return total[counter.position()];
  }

  /** The count of one kind; zero if it is unknown. */
  public long ofKind(String kind, RollupCounter counter) {
    long[] counts = byKind.get(kind);
    return counts == null ? 0 : counts[counter.position()];
  }

  /** The kinds that are counted separately. */
  public Set<String> kinds() {
    return Collections.unmodifiableSet(byKind.keySet());
  }

  /** The sum of all counts of a kind, which says how active it is. */
  public long activity(String kind) {
    long[] counts = byKind.get(kind);
    return counts == null ? 0 : Arrays.stream(counts).sum();
  }

  /** How long attempts ran. */
  public DurationHistogram runTimes() {
    return runTimes;
  }

  /** How long after they were due attempts started. */
  public DurationHistogram lateness() {
    return lateness;
  }

  /** Attempts that ended with a result, of one kind. */
  public long ended(String kind) {
    return ofKind(kind, RollupCounter.SUCCEEDED) + ofKind(kind, RollupCounter.FAILED);
  }
}
