// SPDX-License-Identifier: Apache-2.0
package dev.perdure.testing;

import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.task.Shards;
import dev.perdure.engine.task.SubmissionReceipt;
import dev.perdure.testing.internal.GraphRules;
import dev.perdure.testing.internal.LimitAccounting;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** The data that outlives the stores opened on it. Its monitor is the only lock. */
final class InMemoryDatabase {

  final TaskTable tasks;
  final NodeTable nodes = new NodeTable();
  final ScheduleTable schedules = new ScheduleTable();
  final SubmissionKeyTable keys = new SubmissionKeyTable();
  final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  final Map<InMemoryRollupStore.Key, String> rollups = InMemoryRollupStore.emptyTable();
  final int shards;
  private final InstantSource clock;
  private boolean limitedFirst;

  InMemoryDatabase(InstantSource clock, int shards, GraphRules rules, LimitAccounting accounting) {
    if (shards < 1 || shards > Shards.MAX_SHARDS) {
      throw new IllegalArgumentException(
          "shards must be 1 to " + Shards.MAX_SHARDS + ", not " + shards);
    }
    this.clock = clock;
    this.tasks = new TaskTable(rules, accounting);
    this.shards = shards;
  }

  Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }

  /** Returns whether a claim looks at limited tasks first: every other claim does. */
  boolean limitedFirst() {
    limitedFirst = !limitedFirst;
    return limitedFirst;
  }

  /** Returns the receipt of the batch that has the submission's key, or null if the key is free. */
  @Nullable SubmissionReceipt findByKey(Submission submission, Instant now) {
    return keys.find(submission, tasks, now);
  }
}
