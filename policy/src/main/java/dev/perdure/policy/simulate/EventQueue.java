// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.simulate;

import java.util.Arrays;

/**
 * Events ordered by time; events at the same time keep the order in which they were added.
 *
 * <p>A binary heap in two arrays of primitives, because a run has millions of events. The upper
 * half of a rank is the sequence number of the event and the lower half is its code, so comparing
 * ranks gives the insertion order. A run has far fewer than 2^31 events.
 */
final class EventQueue {

  private long[] times = new long[1_024];
  private long[] ranks = new long[1_024];
  private int size;
  private long added;

  void add(long time, int code) {
    if (size == times.length) {
      times = Arrays.copyOf(times, size * 2);
      ranks = Arrays.copyOf(ranks, size * 2);
    }
    siftUp(size++, time, added++ << Integer.SIZE | code);
  }

  /** Returns the time of the next event, or {@code Long.MAX_VALUE} if there is none. */
  long time() {
    return size == 0 ? Long.MAX_VALUE : times[0];
  }

  /** Removes the next event and returns its code. */
  int remove() {
    int code = (int) ranks[0];
    size--;
    siftDown(times[size], ranks[size]);
    return code;
  }

  private void siftUp(int from, long time, long rank) {
    int index = from;
    while (index > 0) {
      int parent = (index - 1) >>> 1;
      if (!before(time, rank, parent)) {
        break;
      }
      times[index] = times[parent];
      ranks[index] = ranks[parent];
      index = parent;
    }
    times[index] = time;
    ranks[index] = rank;
  }

  private void siftDown(long time, long rank) {
    int index = 0;
    for (int child = 1; child < size; child = 2 * index + 1) {
      if (child + 1 < size && before(times[child + 1], ranks[child + 1], child)) {
        child++;
      }
      if (before(time, rank, child)) {
        break;
      }
      times[index] = times[child];
      ranks[index] = ranks[child];
      index = child;
    }
    times[index] = time;
    ranks[index] = rank;
  }

  private boolean before(long time, long rank, int index) {
    return time < times[index] || (time == times[index] && rank < ranks[index]);
  }
}
