// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.query;

import dev.perdure.engine.task.LimitRule;
import java.time.Instant;
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
   * @param used how many tasks with the limit are claimed or running
   * @param waiting how many tasks wait for it, up to {@link #MAX_COUNTED}
   * @param nextStart for a rate: when the next start keeps the distance to the last one; null before
   *     the first
   */
  record LimitUsage(
      String key, LimitRule rule, long used, long waiting, @Nullable Instant nextStart) {}

  /**
   * The limit that a due task waits for.
   *
   * @param ahead how many due tasks come before it, up to {@link #MAX_COUNTED}
   */
  record LimitWait(LimitUsage limit, long ahead) {}

  /**
   * Limits in the order of their keys, of all shards.
   *
   * @param after only keys that come after this one; empty for the first page
   * @param limit maximum number of limits
   */
  List<LimitUsage> list(String after, int limit);

  /** The limit that the task waits for; empty when it is not due or waits for something else. */
  Optional<LimitWait> waitOf(UUID task);
}
