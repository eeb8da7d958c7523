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

  private static List<String> bringAll(BoundedLabels boundedLabels, CyclicBarrier together)
      throws Exception {
    together.await();
    return IntStream.range(0, BoundedLabels.MAX_VALUES)
        .mapToObj(i -> boundedLabels.bounded("kind " + i))
        .toList();
  }

  @Test
  void a_new_value_is_itself_for_all_who_bring_it_at_once() throws Exception {
    CyclicBarrier together = new CyclicBarrier(THREADS);
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      for (int round = 0; round < ROUNDS; round++) {
        BoundedLabels boundedLabels = new BoundedLabels();
        List<Future<List<String>>> told = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
          told.add(threads.submit(() -> bringAll(boundedLabels, together)));
        }
        for (Future<List<String>> one : told) {
          assertThat(one.get()).doesNotContain(BoundedLabels.OTHER);
        }
        assertThat(boundedLabels.bounded("one too many")).isEqualTo(BoundedLabels.OTHER);
      }
    }
  }
}
