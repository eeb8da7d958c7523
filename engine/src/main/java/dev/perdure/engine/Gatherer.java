// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.store.StoreException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * Makes few writes of many: whoever has something to write waits here while others join, and goes
 * on when it is durable. One write is under way at a time, so that callers, however many, take one
 * connection of the store's. Between writes there is no thread.
 *
 * <p>One that the store does not take is written alone in the end, and spoils no other.
 */
final class Gatherer<T, R> {

  static final int MOST_AT_ONCE = 1_000;
  static final int MOST_WAITING = 10_000;

  private final String name;
  private final Workers workers;
  private final Duration linger;
  private final Function<List<T>, List<R>> write;
  private final Deque<Waiting<T, R>> waiting = new ArrayDeque<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition full = lock.newCondition();
  private boolean writing;

  private record Waiting<T, R>(T item, CompletableFuture<R> answer) {}

  /**
   * @param linger how long the first waits for others to join
   * @param write one answer each, in the same order
   */
  Gatherer(String name, Workers workers, Duration linger, Function<List<T>, List<R>> write) {
    this.name = name;
    this.workers = workers;
    this.linger = linger;
    this.write = write;
  }

  /** Writes it, together with what others write meanwhile. */
  R write(T item) {
    CompletableFuture<R> answer = new CompletableFuture<>();
    if (joinsAsFirst(new Waiting<>(item, answer))) {
      start();
    }
    try {
      return answer.join();
    } catch (CompletionException failed) {
      throw failed.getCause() instanceof RuntimeException cause ? cause : failed;
    }
  }

  private boolean joinsAsFirst(Waiting<T, R> one) {
    lock.lock();
    try {
      if (waiting.size() >= MOST_WAITING) {
        throw new StoreException(
            MOST_WAITING + " wait to be written already", null, StoreException.Sort.UNAVAILABLE);
      }
      waiting.add(one);
      boolean first = !writing;
      writing = true;
      if (waiting.size() >= MOST_AT_ONCE) {
        full.signal();
      }
      return first;
    } finally {
      lock.unlock();
    }
  }

  private void start() {
    try {
      workers.start(name, this::run);
    } catch (RuntimeException | Error cannotStart) {
      refuseAll(cannotStart);
    }
  }

  /** Whoever waits must not wait for ever, and the next must find nobody writing. */
  private void refuseAll(Throwable cause) {
    RuntimeException why =
        new StoreException("nobody to write it", cause, StoreException.Sort.UNAVAILABLE);
    for (List<Waiting<T, R>> batch = next(); !batch.isEmpty(); batch = next()) {
      batch.forEach(one -> one.answer().completeExceptionally(why));
    }
  }

  private void run() {
    try {
      lingers();
      for (List<Waiting<T, R>> batch = next(); !batch.isEmpty(); batch = next()) {
        answer(batch);
        lingers();
      }
    } catch (RuntimeException | Error brokenOff) {
      refuseAll(brokenOff);
    }
  }

  private void lingers() {
    lock.lock();
    try {
      long nanos = linger.toNanos();
      while (nanos > 0 && !waiting.isEmpty() && waiting.size() < MOST_AT_ONCE) {
        nanos = full.awaitNanos(nanos);
      }
    } catch (InterruptedException hurry) {
      // What waits is written all the same.
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }

  /** The next to be written; when there are none, nobody writes any more. */
  private List<Waiting<T, R>> next() {
    lock.lock();
    try {
      List<Waiting<T, R>> batch = new ArrayList<>();
      while (batch.size() < MOST_AT_ONCE && !waiting.isEmpty()) {
        batch.add(waiting.remove());
      }
      writing = !batch.isEmpty();
      return batch;
    } finally {
      lock.unlock();
    }
  }

  private void answer(List<Waiting<T, R>> batch) {
    try {
      List<R> answers = write.apply(batch.stream().map(Waiting::item).toList());
      for (int i = 0; i < batch.size(); i++) {
        batch.get(i).answer().complete(answers.get(i));
      }
    } catch (StoreException problem) {
      if (problem.unavailable() || batch.size() == 1) {
        batch.forEach(one -> one.answer().completeExceptionally(problem));
      } else {
        batch.forEach(one -> answer(List.of(one)));
      }
    } catch (RuntimeException | Error fault) {
      batch.forEach(one -> one.answer().completeExceptionally(fault));
    }
  }
}
