// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The line before the writer. When it is full, whoever wants to join waits for room. */
final class WriteQueue {

  private final int capacity;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition notFull = lock.newCondition();
  private final Condition notEmpty = lock.newCondition();
  private final Queue<WriteRequest<?>> waiting = new ArrayDeque<>();
  private boolean closed;

  WriteQueue(int mostWaiting) {
    this.capacity = mostWaiting;
  }

  void add(WriteRequest<?> writeRequest) {
    lock.lock();
    try {
      while (!closed && waiting.size() >= capacity) {
        notFull.awaitUninterruptibly();
      }
      if (closed) {
        throw SqliteErrors.storeClosed();
      }
      waiting.add(writeRequest);
      notEmpty.signal();
    } finally {
      lock.unlock();
    }
  }

  /** All that wait, up to so many; waits for the first. Empty once closed and nothing is left. */
  List<WriteRequest<?>> take(int most) {
    lock.lock();
    try {
      while (waiting.isEmpty() && !closed) {
        notEmpty.awaitUninterruptibly();
      }
      List<WriteRequest<?>> group = new ArrayList<>(Math.min(most, waiting.size()));
      while (group.size() < most && !waiting.isEmpty()) {
        group.add(waiting.remove());
      }
      notFull.signalAll();
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
      notEmpty.signalAll();
      notFull.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
