// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.engine.task.Shards;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Runs writes shard by shard and returns their results in the order of the writes. */
final class ShardedWrites {

  private ShardedWrites() {}

  static <T, A> List<A> run(
      List<T> items, Function<T, UUID> id, BiFunction<Integer, List<T>, List<A>> write) {
    Map<Integer, List<Integer>> indexesByShard = new TreeMap<>();
    for (int index = 0; index < items.size(); index++) {
      int shard = Shards.of(id.apply(items.get(index)));
      indexesByShard.computeIfAbsent(shard, unused -> new ArrayList<>()).add(index);
    }
    Map<Integer, A> results = new TreeMap<>();
    indexesByShard.forEach(
        (shard, indexes) -> {
          List<A> found = write.apply(shard, indexes.stream().map(items::get).toList());
          for (int i = 0; i < found.size(); i++) {
            results.put(indexes.get(i), found.get(i));
          }
        });
    return List.copyOf(results.values());
  }
}
