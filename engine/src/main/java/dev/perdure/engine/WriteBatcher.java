// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.task.StoreException;
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
 * Combines the writes of concurrent callers: each caller waits here while others join, and returns
 * when its write is durable. One write runs at a time, so any number of callers use one connection.
 * There is no thread while nothing is pending.
 *
 * <p>When the store refuses a batch, its writes are tried one by one, so that only the one at fault
 * fails.
 */
final class WriteBatcher<T, R> {

  static final int MAX_BATCH_SIZE = 1_000;
  static final int MAX_PENDING = 10_000;

  private final String name;
  private final EngineExecutor executor;
  private final Duration linger;
  private final Function<List<T>, List<R>> write;
  private final Deque<PendingWrite<T, R>> pending = new ArrayDeque<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition full = lock.newCondition();
  private boolean writing;

  private record PendingWrite<T, R>(T item, CompletableFuture<R> answer) {}

  /**
   * @param linger how long the first write waits for others to join
   * @param write returns one answer per item, in the same order
   */
  WriteBatcher(
      String name, EngineExecutor executor, Duration linger, Function<List<T>, List<R>> write) {
    this.name = name;
    this.executor = executor;
    this.linger = linger;
    this.write = write;
  }

  /** Writes the item, together with those of other callers. */
  R write(T item) {
    CompletableFuture<R> answer = new CompletableFuture<>();
    if (enqueue(new PendingWrite<>(item, answer))) {
      start();
    }
    try {
      return answer.join();
    } catch (CompletionException failed) {
      throw failed.getCause() instanceof RuntimeException cause ? cause : failed;
    }
  }

  private boolean enqueue(PendingWrite<T, R> one) {
    lock.lock();
    try {
      if (pending.size() >= MAX_PENDING) {
        throw new StoreException(
            MAX_PENDING + " writes are already pending; try again",
            null,
            StoreException.ErrorKind.UNAVAILABLE);
      }
      pending.add(one);
      boolean first = !writing;
      writing = true;
      if (pending.size() >= MAX_BATCH_SIZE) {
        full.signal();
      }
      return first;
    } finally {
      lock.unlock();
    }
  }

  private void start() {
    try {
      executor.start(name, this::run);
    } catch (RuntimeException | Error cannotStart) {
      failAll(cannotStart);
    }
  }

  /** Callers must not wait forever, and the next one must find no writer. */
  private void failAll(Throwable cause) {
    RuntimeException failure =
        new StoreException(
            "the write could not be started; try again",
            cause,
            StoreException.ErrorKind.UNAVAILABLE);
    for (List<PendingWrite<T, R>> batch = nextBatch(); !batch.isEmpty(); batch = nextBatch()) {
      batch.forEach(one -> one.answer().completeExceptionally(failure));
    }
  }

  private void run() {
    try {
      awaitMore();
      for (List<PendingWrite<T, R>> batch = nextBatch(); !batch.isEmpty(); batch = nextBatch()) {
        writeBatch(batch);
        awaitMore();
      }
    } catch (RuntimeException | Error problem) {
      failAll(problem);
    }
  }

  private void awaitMore() {
    lock.lock();
    try {
      long nanos = linger.toNanos();
      while (nanos > 0 && !pending.isEmpty() && pending.size() < MAX_BATCH_SIZE) {
        nanos = full.awaitNanos(nanos);
      }
    } catch (InterruptedException hurry) {
      // Pending writes are written in any case.
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }

  /** The next batch; when there is none, the writer ends. */
  private List<PendingWrite<T, R>> nextBatch() {
    lock.lock();
    try {
      List<PendingWrite<T, R>> batch = new ArrayList<>();
      while (batch.size() < MAX_BATCH_SIZE && !pending.isEmpty()) {
        batch.add(pending.remove());
      }
      writing = !batch.isEmpty();
      return batch;
    } finally {
      lock.unlock();
    }
  }

  private void writeBatch(List<PendingWrite<T, R>> batch) {
    try {
      List<R> answers = write.apply(batch.stream().map(PendingWrite::item).toList());
      for (int i = 0; i < batch.size(); i++) {
        batch.get(i).answer().complete(answers.get(i));
      }
    } catch (StoreException problem) {
      if (problem.unavailable() || batch.size() == 1) {
        batch.forEach(one -> one.answer().completeExceptionally(problem));
      } else {
        batch.forEach(one -> writeBatch(List.of(one)));
      }
    } catch (RuntimeException | Error fault) {
      batch.forEach(one -> one.answer().completeExceptionally(fault));
    }
  }
}
