// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import dev.perdure.engine.task.Shards;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What outlives the stores that are opened on it. Its monitor is the one lock of the model. */
final class ModelDatabase {

  final TaskTable tasks = new TaskTable();
  final NodeTable nodes = new NodeTable();
  final KeyTable keys = new KeyTable();
  final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  final int shards;
  private final InstantSource clock;

  ModelDatabase(InstantSource clock, int shards) {
    if (shards < 1 || shards > Shards.MOST) {
      throw new IllegalArgumentException(
          "a store has 1 to " + Shards.MOST + " shards, not " + shards);
    }
    this.clock = clock;
    this.shards = shards;
  }

  Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }
}
