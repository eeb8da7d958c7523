// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventQueueTest {

  private record Entry(long time, int code) {}

  @Test
  void returns_the_maximum_time_when_empty() {
    EventQueue queue = new EventQueue();
    assertThat(queue.time()).isEqualTo(Long.MAX_VALUE);

    queue.add(5, 1);
    assertThat(queue.time()).isEqualTo(5);
    assertThat(queue.remove()).isEqualTo(1);
    assertThat(queue.time()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void keeps_the_insertion_order_at_the_same_time() {
    EventQueue queue = new EventQueue();
    for (int i = 0; i < 3_000; i++) {
      queue.add(7, 3_000 - i);
    }

    List<Integer> removed = IntStream.range(0, 3_000).mapToObj(i -> queue.remove()).toList();

    assertThat(removed).isSortedAccordingTo(Comparator.reverseOrder()).hasSize(3_000);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void removes_in_the_same_order_as_a_sorted_list(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    EventQueue queue = new EventQueue();
    List<Entry> model = new ArrayList<>();
    int added = 0;
    for (int i = 0; i < 6_000; i++) {
      if (model.isEmpty() || random.nextInt(5) < 3) {
        Entry entry = new Entry(random.nextLong(200), added++);
        queue.add(entry.time(), entry.code());
        model.add(entry);
      } else {
        removeFirst(queue, model, seed);
      }
    }
    while (!model.isEmpty()) {
      removeFirst(queue, model, seed);
    }
  }

  private static void removeFirst(EventQueue queue, List<Entry> model, long seed) {
    // A stable minimum: the first one added if times are equal.
    Entry first = model.getFirst();
    for (Entry entry : model) {
      first = entry.time() < first.time() ? entry : first;
    }
    model.remove(first);
    assertThat(queue.time()).as("seed %d", seed).isEqualTo(first.time());
    assertThat(queue.remove()).as("seed %d", seed).isEqualTo(first.code());
  }
}
