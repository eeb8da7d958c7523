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

  private static TimerHeap.TimerEntry at(long instant) {
    return new TimerHeap.TimerEntry(instant, () -> {}) {};
  }

  private List<Long> drained() {
    List<Long> instants = new ArrayList<>();
    for (TimerHeap.TimerEntry first = heap.first(); first != null; first = heap.first()) {
      instants.add(first.dueAt());
      heap.remove(first);
    }
    assertThat(heap.size()).isZero();
    return instants;
  }

  @Test
  void the_next_one_comes_first() {
    for (long instant : new long[] {5, 3, 9, 3, 1, 7}) {
      heap.add(at(instant));
    }
    assertThat(drained()).containsExactly(1L, 3L, 3L, 5L, 7L, 9L);
  }

  @Test
  void tells_when_a_new_one_is_the_first() {
    assertThat(heap.add(at(5))).isTrue();
    assertThat(heap.add(at(6))).isFalse();
    assertThat(heap.add(at(5))).isFalse();
    assertThat(heap.add(at(4))).isTrue();
  }

  @Test
  void what_is_not_there_cannot_be_taken_out() {
    TimerHeap.TimerEntry gone = at(1);
    heap.add(gone);
    heap.add(at(2));
    heap.remove(gone);
    heap.remove(gone);
    heap.remove(at(2));
    assertThat(drained()).containsExactly(2L);
  }

  /** A monotonic clock may pass the greatest number. */
  @Test
  void the_order_survives_an_overflow_of_the_clock() {
    heap.add(at(Long.MIN_VALUE + 5));
    heap.add(at(Long.MAX_VALUE - 5));
    assertThat(drained()).containsExactly(Long.MAX_VALUE - 5, Long.MIN_VALUE + 5);
  }

  @Test
  void any_coming_and_going_leaves_the_others_in_order() {
    for (long seed = 0; seed < 200; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      List<TimerHeap.TimerEntry> there = new ArrayList<>();
      for (int i = 0; i < 600; i++) {
        if (random.nextInt(i < 300 ? 4 : 2) == 0 && !there.isEmpty()) {
          heap.remove(there.remove(random.nextInt(there.size())));
        } else {
          TimerHeap.TimerEntry timerEntry = at(random.nextInt(50));
          heap.add(timerEntry);
          there.add(timerEntry);
        }
        assertThat(heap.size()).as("seed %d", seed).isEqualTo(there.size());
      }
      there.sort(Comparator.comparingLong(TimerHeap.TimerEntry::dueAt));
      assertThat(drained())
          .as("seed %d", seed)
          .isEqualTo(there.stream().map(TimerHeap.TimerEntry::dueAt).toList());
    }
  }
}
