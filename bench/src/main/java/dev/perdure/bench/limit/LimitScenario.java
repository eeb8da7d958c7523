// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.limit;

import dev.perdure.engine.NewTask;
import dev.perdure.engine.task.Limit;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Which limits the tasks of a round have. */
enum LimitScenario {
  /** No limits: what the others are compared with. */
  UNLIMITED(1, 0),
  /** 50 keys, two tasks of each at a time. */
  FIFTY_KEYS(50, 2),
  /** One key, 100 tasks at a time. */
  ONE_KEY(1, 100),
  /** 5,000 keys, two tasks of each at a time. */
  MANY_KEYS(5_000, 2);

  static final String KIND = "work";

  private final int keys;
  private final int max;

  LimitScenario(int keys, int max) {
    this.keys = keys;
    this.max = max;
  }

  int max() {
    return max;
  }

  List<NewTask> tasks(int size) {
    return IntStream.range(0, size).mapToObj(this::task).toList();
  }

  private NewTask task(int number) {
    int key = number % keys;
    NewTask task = NewTask.of(KIND, key).metadata(Map.of("tenant", key));
    return max == 0 ? task : task.limit(Limit.concurrency(max).per("tenant"));
  }
}
