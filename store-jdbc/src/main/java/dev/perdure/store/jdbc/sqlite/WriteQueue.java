// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The bounded queue of operations that wait for the writer. A caller blocks while it is full. */
final class WriteQueue {

  private final int capacity;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition notFull = lock.newCondition();
  private final Condition notEmpty = lock.newCondition();
  private final Queue<WriteRequest<?>> waiting = new ArrayDeque<>();
  private boolean closed;

  WriteQueue(int capacity) {
    this.capacity = capacity;
  }

  void add(WriteRequest<?> request) {
    lock.lock();
    try {
      while (!closed && waiting.size() >= capacity) {
        notFull.awaitUninterruptibly();
      }
      if (closed) {
        throw SqliteErrors.storeClosed();
      }
      waiting.add(request);
      notEmpty.signal();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits for the first request, then takes all waiting requests up to the limit. Returns an empty
   * list once the queue is closed and empty.
   */
  List<WriteRequest<?>> take(int limit) {
    lock.lock();
    try {
      while (waiting.isEmpty() && !closed) {
        notEmpty.awaitUninterruptibly();
      }
      List<WriteRequest<?>> group = new ArrayList<>(Math.min(limit, waiting.size()));
      while (group.size() < limit && !waiting.isEmpty()) {
        group.add(waiting.remove());
      }
      notFull.signalAll();
      return group;
    } finally {
      lock.unlock();
    }
  }

  /** Returns the number of waiting requests. */
  int size() {
    lock.lock();
    try {
      return waiting.size();
    } finally {
      lock.unlock();
    }
  }

  /** Rejects new requests. Those already queued can still be taken. */
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
