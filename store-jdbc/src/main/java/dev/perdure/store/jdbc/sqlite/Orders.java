// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The line before the writer. When it is full, whoever wants to join waits for room. */
final class Orders {

  private final int mostWaiting;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition room = lock.newCondition();
  private final Condition arrival = lock.newCondition();
  private final Queue<Order<?>> waiting = new ArrayDeque<>();
  private boolean closed;

  Orders(int mostWaiting) {
    this.mostWaiting = mostWaiting;
  }

  void add(Order<?> order) {
    lock.lock();
    try {
      while (!closed && waiting.size() >= mostWaiting) {
        room.awaitUninterruptibly();
      }
      if (closed) {
        throw SqliteFailures.closed();
      }
      waiting.add(order);
      arrival.signal();
    } finally {
      lock.unlock();
    }
  }

  /** All that wait, up to so many; waits for the first. Empty once closed and nothing is left. */
  List<Order<?>> take(int most) {
    lock.lock();
    try {
      while (waiting.isEmpty() && !closed) {
        arrival.awaitUninterruptibly();
      }
      List<Order<?>> group = new ArrayList<>(Math.min(most, waiting.size()));
      while (group.size() < most && !waiting.isEmpty()) {
        group.add(waiting.remove());
      }
      room.signalAll();
      return group;
    } finally {
      lock.unlock();
    }
  }

  /** How many wait. */
  int size() {
    lock.lock();
    try {
      return waiting.size();
    } finally {
      lock.unlock();
    }
  }

  /** Lets nobody join any more; what waits is still taken. */
  void close() {
    lock.lock();
    try {
      closed = true;
      arrival.signalAll();
      room.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
