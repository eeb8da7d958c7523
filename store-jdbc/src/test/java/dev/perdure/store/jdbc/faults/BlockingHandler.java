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

/** A handler that is under way until a test lets it end. */
final class BlockingHandler implements TaskHandler<String> {

  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final boolean uninterruptible;
  private final BlockingQueue<TaskContext> begun = new LinkedBlockingQueue<>();
  private final CountDownLatch end = new CountDownLatch(1);
  private final AtomicInteger interrupts = new AtomicInteger();

  private BlockingHandler(boolean stubborn) {
    this.uninterruptible = stubborn;
  }

  /** Ends when it is interrupted. */
  static BlockingHandler interruptible() {
    return new BlockingHandler(false);
  }

  /** Goes on when it is interrupted, as code that waits for somebody else's answer does. */
  static BlockingHandler uninterruptible() {
    return new BlockingHandler(true);
  }

  @Override
  public void handle(String payload, TaskContext context) throws Exception {
    begun.add(context);
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

  /** Waits until one more has begun. */
  TaskContext awaitStarted() throws InterruptedException {
    TaskContext context = begun.poll(LIMIT.toSeconds(), TimeUnit.SECONDS);
    if (context == null) {
      throw new AssertionError("no handler began within " + LIMIT);
    }
    return context;
  }

  int interrupts() {
    return interrupts.get();
  }

  /** Lets all of them end, those that begin later too. */
  void release() {
    end.countDown();
  }
}
