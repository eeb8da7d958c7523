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

/** Does writes shard by shard, and puts their answers back into the order of the writes. */
final class ShardedWrites {

  private ShardedWrites() {}

  static <T, A> List<A> run(
      List<T> items, Function<T, UUID> id, BiFunction<Integer, List<T>, List<A>> write) {
    Map<Integer, List<Integer>> places = new TreeMap<>();
    for (int place = 0; place < items.size(); place++) {
      int shard = Shards.of(id.apply(items.get(place)));
      places.computeIfAbsent(shard, unused -> new ArrayList<>()).add(place);
    }
    Map<Integer, A> answers = new TreeMap<>();
    places.forEach(
        (shard, some) -> {
          List<A> found = write.apply(shard, some.stream().map(items::get).toList());
          for (int i = 0; i < found.size(); i++) {
            answers.put(some.get(i), found.get(i));
          }
        });
    return List.copyOf(answers.values());
  }
}
