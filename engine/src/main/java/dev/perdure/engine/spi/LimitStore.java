// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import dev.perdure.engine.query.LimitReader;
import dev.perdure.engine.task.KindLimit;
import dev.perdure.engine.task.Limit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads limits, and changes those of tasks and kinds. */
public interface LimitStore extends LimitReader {

  /** Maximum number of tasks that one call of {@link #changeRules} looks at. */
  int MAX_CHANGED = 1_000;

  /**
   * Other limits for the live tasks of one kind in a batch. A claimed or running task leaves its
   * places in the old limits and takes places in the new ones at once, also where there are none.
   *
   * @param after only tasks after this id; null to begin
   * @param rules the new rules, a JSON array; null for no limits
   */
  record RulesChange(UUID batch, String kind, @Nullable UUID after, @Nullable String rules) {}

  /**
   * What a call changed.
   *
   * @param tasks how many live tasks of the kind it found
   * @param last the last task that it looked at; null when there are no more
   */
  record RulesChanged(int tasks, @Nullable UUID last) {}

  /**
   * Sets the limits of a kind in all shards; claimed and running tasks count in them at once, also
   * where there is no room.
   *
   * @param limits empty to remove them
   */
  void setKind(String kind, List<Limit> limits, KindLimit.Source source);

  /** Finds the first live task of this kind in the batch that has no expected count. */
  Optional<UUID> findUncounted(UUID batch, String kind);

  /** Changes up to {@link #MAX_CHANGED} tasks, in the order of their ids. */
  RulesChanged changeRules(RulesChange change);
}
