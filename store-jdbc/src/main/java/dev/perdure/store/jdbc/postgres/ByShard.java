// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.engine.store.Verdict;
import dev.perdure.engine.task.Shards;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Does writes shard by shard, and puts their verdicts back into the order of the writes. */
final class ByShard {

  private ByShard() {}

  static <T> List<Verdict> of(
      List<T> items, Function<T, UUID> task, BiFunction<Integer, List<T>, List<Verdict>> write) {
    Map<Integer, List<Integer>> places = new TreeMap<>();
    for (int place = 0; place < items.size(); place++) {
      int shard = Shards.of(task.apply(items.get(place)));
      places.computeIfAbsent(shard, unused -> new ArrayList<>()).add(place);
    }
    Verdict[] verdicts = new Verdict[items.size()];
    places.forEach(
        (shard, some) -> {
          List<Verdict> found = write.apply(shard, some.stream().map(items::get).toList());
          for (int i = 0; i < found.size(); i++) {
            verdicts[some.get(i)] = found.get(i);
          }
        });
    return Arrays.asList(verdicts);
  }
}
