// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;

/** A store whose writer is blocked by an operation, so that other operations queue up. */
final class BlockedWriter implements AutoCloseable {

  private final SqliteStore store;
  private final CountDownLatch release = new CountDownLatch(1);
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private int queued;

  BlockedWriter(SqliteStore store) {
    this.store = store;
    CountDownLatch held = new CountDownLatch(1);
    threads.execute(
        () ->
            store.write(
                (session, now) -> {
                  held.countDown();
                  awaitQuietly(release);
                  return true;
                }));
    awaitQuietly(held);
  }

  /** Starts the operation and returns when it is queued. */
  <T> Future<T> start(Supplier<T> operation) {
    Future<T> future = threads.submit(operation::get);
    queued++;
    while (store.queuedWrites() < queued) {
      Thread.onSpinWait();
    }
    return future;
  }

  Future<?> start(Runnable operation) {
    return start(
        () -> {
          operation.run();
          return true;
        });
  }

  void release() {
    release.countDown();
  }

  @Override
  public void close() {
    release();
    threads.close();
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
