// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Timers ordered by due time: a binary heap in which each timer knows its index, so that a canceled
 * timer is removed at once. Times are those of a monotonic clock that may overflow. Not
 * thread-safe; the caller holds a lock.
 */
final class TimerHeap {

  private static final int INITIAL_CAPACITY = 64;

  private @Nullable TimerEntry[] timers = new @Nullable TimerEntry[INITIAL_CAPACITY];
  private int size;

  /** A task and the time when it is due. */
  abstract static class TimerEntry {

    private static final int NOT_IN_HEAP = -1;

    private final long dueAt;
    private final Runnable task;
    private int index = NOT_IN_HEAP;

    TimerEntry(long dueAt, Runnable task) {
      this.dueAt = dueAt;
      this.task = task;
    }

    long dueAt() {
      return dueAt;
    }

    Runnable task() {
      return task;
    }

    private boolean isBefore(TimerEntry other) {
      return dueAt - other.dueAt < 0;
    }
  }

  int size() {
    return size;
  }

  /** Returns the next timer, or null if there is none. */
  @Nullable TimerEntry first() {
    return timers[0];
  }

  /** Adds a timer; returns true if it is now the first one. */
  boolean add(TimerEntry timer) {
    if (size == timers.length) {
      timers = Arrays.copyOf(timers, size * 2);
    }
    siftUp(timer, size++);
    return timer.index == 0;
  }

  /** Removes a timer; does nothing if it is not in the heap. */
  void remove(TimerEntry timer) {
    int gap = timer.index;
    if (gap == TimerEntry.NOT_IN_HEAP) {
      return;
    }
    timer.index = TimerEntry.NOT_IN_HEAP;
    TimerEntry last = at(--size);
    timers[size] = null;
    if (gap < size) {
      siftDown(last, gap);
      if (last.index == gap) {
        siftUp(last, gap);
      }
    }
    if (timers.length > INITIAL_CAPACITY && size < timers.length / 4) {
      timers = Arrays.copyOf(timers, timers.length / 2);
    }
  }

  private TimerEntry at(int index) {
    TimerEntry timer = timers[index];
    if (timer == null) {
      throw new IllegalStateException("no timer at index " + index + " of " + size);
    }
    return timer;
  }

  private void put(TimerEntry timer, int index) {
    timers[index] = timer;
    timer.index = index;
  }

  private void siftUp(TimerEntry timer, int from) {
    int index = from;
    while (index > 0) {
      int parent = (index - 1) / 2;
      TimerEntry above = at(parent);
      if (!timer.isBefore(above)) {
        break;
      }
      put(above, index);
      index = parent;
    }
    put(timer, index);
  }

  private void siftDown(TimerEntry timer, int from) {
    int index = from;
    for (int child = 2 * index + 1; child < size; child = 2 * index + 1) {
      if (child + 1 < size && at(child + 1).isBefore(at(child))) {
        child++;
      }
      TimerEntry below = at(child);
      if (!below.isBefore(timer)) {
        break;
      }
      put(below, index);
      index = child;
    }
    put(timer, index);
  }
}
