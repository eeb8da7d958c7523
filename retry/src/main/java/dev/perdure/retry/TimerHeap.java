// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What waits for its instant, the next one first: a binary heap in which each alarm knows its
 * place, so that one called off is gone at once, whenever it was due. Instants are those of a
 * monotonic clock that may overflow. Used under somebody's lock.
 */
final class TimerHeap {

  private static final int INITIAL_CAPACITY = 64;

  private @Nullable TimerEntry[] timers = new @Nullable TimerEntry[INITIAL_CAPACITY];
  private int size;

  /** One task with its instant. */
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

  /** The next one, or null. */
  @Nullable TimerEntry first() {
    return timers[0];
  }

  /** True when it is the first one now. */
  boolean add(TimerEntry timerEntry) {
    if (size == timers.length) {
      timers = Arrays.copyOf(timers, size * 2);
    }
    siftUp(timerEntry, size++);
    return timerEntry.index == 0;
  }

  /** Takes it out; nothing happens when it is not there. */
  void remove(TimerEntry timerEntry) {
    int gap = timerEntry.index;
    if (gap == TimerEntry.NOT_IN_HEAP) {
      return;
    }
    timerEntry.index = TimerEntry.NOT_IN_HEAP;
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

  private TimerEntry at(int place) {
    TimerEntry timerEntry = timers[place];
    if (timerEntry == null) {
      throw new IllegalStateException("no alarm at " + place + " of " + size);
    }
    return timerEntry;
  }

  private void put(TimerEntry timerEntry, int place) {
    timers[place] = timerEntry;
    timerEntry.index = place;
  }

  private void siftUp(TimerEntry timerEntry, int from) {
    int place = from;
    while (place > 0) {
      int parent = (place - 1) / 2;
      TimerEntry above = at(parent);
      if (!timerEntry.isBefore(above)) {
        break;
      }
      put(above, place);
      place = parent;
    }
    put(timerEntry, place);
  }

  private void siftDown(TimerEntry timerEntry, int from) {
    int place = from;
    for (int child = 2 * place + 1; child < size; child = 2 * place + 1) {
      if (child + 1 < size && at(child + 1).isBefore(at(child))) {
        child++;
      }
      TimerEntry below = at(child);
      if (!below.isBefore(timerEntry)) {
        break;
      }
      put(below, place);
      place = child;
    }
    put(timerEntry, place);
  }
}
