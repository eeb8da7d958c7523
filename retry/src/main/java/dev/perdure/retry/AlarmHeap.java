// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What waits for its instant, the next one first: a binary heap in which each alarm knows its
 * place, so that one called off is gone at once, whenever it was due. Instants are those of a
 * monotonic clock that may overflow. Used under somebody's lock.
 */
final class AlarmHeap {

  private static final int FIRST_ROOM = 64;

  private @Nullable Alarm[] alarms = new @Nullable Alarm[FIRST_ROOM];
  private int size;

  /** One task with its instant. */
  abstract static class Alarm {

    private static final int NOWHERE = -1;

    private final long dueAt;
    private final Runnable task;
    private int place = NOWHERE;

    Alarm(long dueAt, Runnable task) {
      this.dueAt = dueAt;
      this.task = task;
    }

    long dueAt() {
      return dueAt;
    }

    Runnable task() {
      return task;
    }

    private boolean isBefore(Alarm other) {
      return dueAt - other.dueAt < 0;
    }
  }

  int size() {
    return size;
  }

  /** The next one, or null. */
  @Nullable Alarm first() {
    return alarms[0];
  }

  /** True when it is the first one now. */
  boolean add(Alarm alarm) {
    if (size == alarms.length) {
      alarms = Arrays.copyOf(alarms, size * 2);
    }
    rise(alarm, size++);
    return alarm.place == 0;
  }

  /** Takes it out; nothing happens when it is not there. */
  void remove(Alarm alarm) {
    int gap = alarm.place;
    if (gap == Alarm.NOWHERE) {
      return;
    }
    alarm.place = Alarm.NOWHERE;
    Alarm last = at(--size);
    alarms[size] = null;
    if (gap < size) {
      sink(last, gap);
      if (last.place == gap) {
        rise(last, gap);
      }
    }
    if (alarms.length > FIRST_ROOM && size < alarms.length / 4) {
      alarms = Arrays.copyOf(alarms, alarms.length / 2);
    }
  }

  private Alarm at(int place) {
    Alarm alarm = alarms[place];
    if (alarm == null) {
      throw new IllegalStateException("no alarm at " + place + " of " + size);
    }
    return alarm;
  }

  private void put(Alarm alarm, int place) {
    alarms[place] = alarm;
    alarm.place = place;
  }

  private void rise(Alarm alarm, int from) {
    int place = from;
    while (place > 0) {
      int parent = (place - 1) / 2;
      Alarm above = at(parent);
      if (!alarm.isBefore(above)) {
        break;
      }
      put(above, place);
      place = parent;
    }
    put(alarm, place);
  }

  private void sink(Alarm alarm, int from) {
    int place = from;
    for (int child = 2 * place + 1; child < size; child = 2 * place + 1) {
      if (child + 1 < size && at(child + 1).isBefore(at(child))) {
        child++;
      }
      Alarm below = at(child);
      if (!below.isBefore(alarm)) {
        break;
      }
      put(below, place);
      place = child;
    }
    put(alarm, place);
  }
}
