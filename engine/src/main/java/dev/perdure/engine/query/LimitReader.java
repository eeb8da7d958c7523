// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.query;

import dev.perdure.engine.task.KindLimit;
import dev.perdure.engine.task.LimitRule;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads limits. */
public interface LimitReader {

  /** Waiting tasks are counted up to this number. */
  int MAX_COUNTED = 1_000;

  /**
   * A limit and the tasks that it is about.
   *
   * @param used how many tasks with the limit are claimed or running; for a limit on capacity, how
   *     many items those tasks still have to do
   * @param waiting how many tasks wait for it, up to {@link #MAX_COUNTED}
   * @param nextStart for a rate: when the next start keeps the distance to the last one; null
   *     before the first
   */
  record LimitUsage(
      String key, LimitRule rule, long used, long waiting, @Nullable Instant nextStart) {

    /** For a rate: when it allows the next start, perhaps in the past; null before the first. */
    public @Nullable Instant earliestStart() {
      return nextStart == null || rule.per() == null
          ? null
          : nextStart.minus(rule.distance().multipliedBy(rule.burst() - 1L));
    }

    /** The same limit with this much in use. */
    public LimitUsage withUsed(long items) {
      return new LimitUsage(key, rule, items, waiting, nextStart);
    }
  }

  /**
   * The limit that a due task waits for.
   *
   * @param ahead how many due tasks come before it, up to {@link #MAX_COUNTED}
   */
  record LimitWait(LimitUsage limit, long ahead) {

    /**
     * Returns whether the limit keeps the task from starting. If not, the task waits for a free
     * worker, like any other.
     *
     * @param items how many items the task has to do
     */
    public boolean holds(long items, Instant now) {
      LimitRule rule = limit.rule();
      Instant earliest = limit.earliestStart();
      return switch (rule.type()) {
        case CONCURRENCY -> limit.used() + ahead >= rule.max();
        case CAPACITY -> ahead > 0 || (limit.used() > 0 && items > rule.max() - limit.used());
        case RATE -> ahead > 0 || (earliest != null && earliest.isAfter(now));
      };
    }
  }

  /** The order of keys in databases: by code points. */
  Comparator<String> KEY_ORDER =
      Comparator.comparing(key -> key.getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned);

  /**
   * One page of limits of several shards. The last key comes with all its shards, so that the page
   * after it misses none.
   */
  static List<LimitUsage> page(Collection<LimitUsage> found, int limit) {
    List<LimitUsage> sorted =
        found.stream().sorted(Comparator.comparing(LimitUsage::key, KEY_ORDER)).toList();
    if (sorted.size() <= limit) {
      return sorted;
    }
    String last = sorted.get(limit - 1).key();
    return sorted.stream().takeWhile(one -> KEY_ORDER.compare(one.key(), last) <= 0).toList();
  }

  /**
   * Limits in the order of their keys, of all shards.
   *
   * @param after only keys that come after this one; empty for the first page
   * @param limit maximum number of limits
   */
  List<LimitUsage> list(String after, int limit);

  /** The limits of kinds, in the order of the kinds. */
  List<KindLimit> ofKinds();

  /**
   * The limit that the task waits for; empty when it is not due or waits for something else. The
   * limit may have room: see {@link LimitWait#holds}.
   */
  Optional<LimitWait> waitOf(UUID task);
}
