// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.graph;

import dev.perdure.engine.NewTask;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The graphs that the benchmark submits; each has about as many dependencies as tasks. */
enum GraphShape {
  /** Each task depends on the one before; the first one fails, and so all fail. */
  CHAIN_FAILS {
    @Override
    List<NewTask> tasks(int size) {
      return IntStream.range(0, size)
          .mapToObj(
              i ->
                  i == 0
                      ? NewTask.of(FAILING, i).id("0")
                      : NewTask.of(IDLE, i).id("" + i).after("" + (i - 1)))
          .toList();
    }

    @Override
    long firstTasks(int size) {
      return 1;
    }
  },
  /** All tasks but one depend on that one. */
  FAN_OUT {
    @Override
    List<NewTask> tasks(int size) {
      return Stream.concat(
              Stream.of(NewTask.of(WORKING, 0).id("root")),
              IntStream.range(1, size).mapToObj(i -> NewTask.of(IDLE, i).after("root")))
          .toList();
    }

    @Override
    long firstTasks(int size) {
      return 1;
    }
  },
  /** One task depends on all others. */
  FAN_IN {
    @Override
    List<NewTask> tasks(int size) {
      String[] ids = IntStream.range(1, size).mapToObj(Integer::toString).toArray(String[]::new);
      return Stream.concat(
              IntStream.range(1, size).mapToObj(i -> NewTask.of(WORKING, i).id("" + i)),
              Stream.of(NewTask.of(IDLE, 0).after(ids)))
          .toList();
    }

    @Override
    long firstTasks(int size) {
      return size - 1L;
    }
  };

  /** The kind of tasks that fail at once. */
  static final String FAILING = "failing";

  /** The kind of tasks that succeed at once. */
  static final String WORKING = "working";

  /** The kind of tasks that no worker takes, so that only the propagation is measured. */
  static final String IDLE = "idle";

  abstract List<NewTask> tasks(int size);

  /** How many tasks depend on no other. */
  abstract long firstTasks(int size);
}
