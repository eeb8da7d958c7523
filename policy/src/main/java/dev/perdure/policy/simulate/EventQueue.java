// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.simulate;

import java.util.Arrays;

/**
 * Events in the order of their times; those of the same time in the order in which they were added.
 *
 * <p>A binary heap in two arrays of primitives, since a run has millions of events. The rank holds
 * the number of the event in its upper half and what it is about in its lower half, so that
 * comparing ranks keeps the order of adding. 2^31 events are more than a run can come to.
 */
final class EventQueue {

  private long[] times = new long[1_024];
  private long[] ranks = new long[1_024];
  private int size;
  private long added;

  void add(long time, int subject) {
    if (size == times.length) {
      times = Arrays.copyOf(times, size * 2);
      ranks = Arrays.copyOf(ranks, size * 2);
    }
    rise(size++, time, added++ << Integer.SIZE | subject);
  }

  /** The time of the next event, or {@code Long.MAX_VALUE}. */
  long time() {
    return size == 0 ? Long.MAX_VALUE : times[0];
  }

  /** Takes the next event out and says what it is about. */
  int remove() {
    int subject = (int) ranks[0];
    size--;
    sink(times[size], ranks[size]);
    return subject;
  }

  private void rise(int from, long time, long rank) {
    int place = from;
    while (place > 0) {
      int parent = (place - 1) >>> 1;
      if (!before(time, rank, parent)) {
        break;
      }
      times[place] = times[parent];
      ranks[place] = ranks[parent];
      place = parent;
    }
    times[place] = time;
    ranks[place] = rank;
  }

  private void sink(long time, long rank) {
    int place = 0;
    for (int child = 1; child < size; child = 2 * place + 1) {
      if (child + 1 < size && before(times[child + 1], ranks[child + 1], child)) {
        child++;
      }
      if (before(time, rank, child)) {
        break;
      }
      times[place] = times[child];
      ranks[place] = ranks[child];
      place = child;
    }
    times[place] = time;
    ranks[place] = rank;
  }

  private boolean before(long time, long rank, int place) {
    return time < times[place] || (time == times[place] && rank < ranks[place]);
  }
}
