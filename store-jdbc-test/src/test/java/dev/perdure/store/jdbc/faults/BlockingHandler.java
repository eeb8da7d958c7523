// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.faults;

import dev.perdure.engine.TaskContext;
import dev.perdure.engine.TaskHandler;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A handler that runs until the test releases it. */
final class BlockingHandler implements TaskHandler<String> {

  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final boolean uninterruptible;
  private final BlockingQueue<TaskContext> started = new LinkedBlockingQueue<>();
  private final CountDownLatch end = new CountDownLatch(1);
  private final AtomicInteger interrupts = new AtomicInteger();

  private BlockingHandler(boolean uninterruptible) {
    this.uninterruptible = uninterruptible;
  }

  /** Creates a handler that ends when it is interrupted. */
  static BlockingHandler interruptible() {
    return new BlockingHandler(false);
  }

  /** Creates a handler that ignores interrupts, like code that waits for an external response. */
  static BlockingHandler uninterruptible() {
    return new BlockingHandler(true);
  }

  @Override
  public void handle(String payload, TaskContext context) throws Exception {
    started.add(context);
    while (true) {
      try {
        end.await();
        context.result("by " + context.task().worker());
        return;
      } catch (InterruptedException interrupt) {
        interrupts.incrementAndGet();
        if (!uninterruptible) {
          throw interrupt;
        }
      }
    }
  }

  /** Waits until another execution has started. */
  TaskContext awaitStarted() throws InterruptedException {
    TaskContext context = started.poll(LIMIT.toSeconds(), TimeUnit.SECONDS);
    if (context == null) {
      throw new AssertionError("no handler started within " + LIMIT);
    }
    return context;
  }

  int interrupts() {
    return interrupts.get();
  }

  /** Lets all executions end, including later ones. */
  void release() {
    end.countDown();
  }
}
