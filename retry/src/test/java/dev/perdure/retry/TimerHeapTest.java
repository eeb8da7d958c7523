// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TimerHeapTest {

  private final TimerHeap heap = new TimerHeap();

  private static TimerHeap.TimerEntry at(long dueAt) {
    return new TimerHeap.TimerEntry(dueAt, () -> {}) {};
  }

  private List<Long> drain() {
    List<Long> dueTimes = new ArrayList<>();
    for (TimerHeap.TimerEntry first = heap.first(); first != null; first = heap.first()) {
      dueTimes.add(first.dueAt());
      heap.remove(first);
    }
    assertThat(heap.size()).isZero();
    return dueTimes;
  }

  @Test
  void returns_timers_by_due_time() {
    for (long dueAt : new long[] {5, 3, 9, 3, 1, 7}) {
      heap.add(at(dueAt));
    }
    assertThat(drain()).containsExactly(1L, 3L, 3L, 5L, 7L, 9L);
  }

  @Test
  void reports_when_a_new_timer_is_the_first() {
    assertThat(heap.add(at(5))).isTrue();
    assertThat(heap.add(at(6))).isFalse();
    assertThat(heap.add(at(5))).isFalse();
    assertThat(heap.add(at(4))).isTrue();
  }

  @Test
  void ignores_the_removal_of_a_missing_timer() {
    TimerHeap.TimerEntry removed = at(1);
    heap.add(removed);
    heap.add(at(2));
    heap.remove(removed);
    heap.remove(removed);
    heap.remove(at(2));
    assertThat(drain()).containsExactly(2L);
  }

  /** A monotonic clock may overflow. */
  @Test
  void keeps_the_order_when_the_clock_overflows() {
    heap.add(at(Long.MIN_VALUE + 5));
    heap.add(at(Long.MAX_VALUE - 5));
    assertThat(drain()).containsExactly(Long.MAX_VALUE - 5, Long.MIN_VALUE + 5);
  }

  @Test
  void keeps_the_order_after_random_additions_and_removals() {
    for (long seed = 0; seed < 200; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      List<TimerHeap.TimerEntry> expected = new ArrayList<>();
      for (int i = 0; i < 600; i++) {
        if (random.nextInt(i < 300 ? 4 : 2) == 0 && !expected.isEmpty()) {
          heap.remove(expected.remove(random.nextInt(expected.size())));
        } else {
          TimerHeap.TimerEntry timer = at(random.nextInt(50));
          heap.add(timer);
          expected.add(timer);
        }
        assertThat(heap.size()).as("seed %d", seed).isEqualTo(expected.size());
      }
      expected.sort(Comparator.comparingLong(TimerHeap.TimerEntry::dueAt));
      assertThat(drain())
          .as("seed %d", seed)
          .isEqualTo(expected.stream().map(TimerHeap.TimerEntry::dueAt).toList());
    }
  }
}
