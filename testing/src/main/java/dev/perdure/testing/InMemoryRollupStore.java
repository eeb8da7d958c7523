// SPDX-License-Identifier: Apache-2.0
package dev.perdure.testing;

import dev.perdure.engine.query.Rollup;
import dev.perdure.engine.query.RollupStep;
import dev.perdure.engine.spi.RollupJson;
import dev.perdure.engine.spi.RollupStore;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;

/** The rollups of the in-memory store. */
record InMemoryRollupStore(InMemoryDatabase database) implements RollupStore {

  /** The key of a rollup, in the order of time. */
  record Key(RollupStep step, Instant at, UUID node) {
    static final Comparator<Key> ORDER =
        Comparator.comparing(Key::at).thenComparing(Key::step).thenComparing(Key::node);
  }

  /** Counts are kept as JSON, which copies them and leaves out what other stores leave out. */
  static Map<Key, String> emptyTable() {
    return new TreeMap<>(Key.ORDER.reversed());
  }

  @Override
  public Instant write(List<Rollup> rollups) {
    synchronized (database) {
      for (Rollup rollup : rollups) {
        database.rollups.put(
            new Key(rollup.step(), rollup.at(), rollup.node()), RollupJson.write(rollup.counts()));
      }
      return database.now();
    }
  }

  @Override
  public int read(RollupStep step, Instant from, int limit, Consumer<Rollup> consumer) {
    synchronized (database) {
      List<Key> found =
          database.rollups.keySet().stream()
              .filter(key -> key.step() == step && !key.at().isBefore(from))
              .limit(limit)
              .toList();
      for (Key key : found) {
        String counts = database.rollups.getOrDefault(key, "{}");
        consumer.accept(new Rollup(step, key.at(), key.node(), RollupJson.read(counts)));
      }
      return found.size();
    }
  }

  @Override
  public int purge(int limit) {
    synchronized (database) {
      int deleted = 0;
      for (RollupStep step : RollupStep.values()) {
        Instant oldest = database.now().minus(step.retention());
        List<Key> expired =
            database.rollups.keySet().stream()
                .filter(key -> key.step() == step && key.at().isBefore(oldest))
                .limit(limit)
                .toList();
        expired.forEach(database.rollups::remove);
        deleted += expired.size();
      }
      return deleted;
    }
  }
}
