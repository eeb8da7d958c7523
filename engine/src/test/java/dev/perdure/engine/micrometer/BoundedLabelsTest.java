// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BoundedLabelsTest {

  private static final int THREADS = 4;
  private static final int ROUNDS = 100;

  private static List<String> addAllValues(BoundedLabels boundedLabels, CyclicBarrier barrier)
      throws Exception {
    barrier.await();
    return IntStream.range(0, BoundedLabels.MAX_VALUES)
        .mapToObj(i -> boundedLabels.bounded("kind " + i))
        .toList();
  }

  @Test
  void a_new_value_that_several_threads_add_at_once_keeps_its_own_label() throws Exception {
    CyclicBarrier barrier = new CyclicBarrier(THREADS);
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      for (int round = 0; round < ROUNDS; round++) {
        BoundedLabels boundedLabels = new BoundedLabels();
        List<Future<List<String>>> labels = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
          labels.add(threads.submit(() -> addAllValues(boundedLabels, barrier)));
        }
        for (Future<List<String>> label : labels) {
          assertThat(label.get()).doesNotContain(BoundedLabels.OTHER);
        }
        assertThat(boundedLabels.bounded("one too many")).isEqualTo(BoundedLabels.OTHER);
      }
    }
  }
}
