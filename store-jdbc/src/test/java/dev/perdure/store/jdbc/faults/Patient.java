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
final class Patient implements TaskHandler<String> {

  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final boolean stubborn;
  private final BlockingQueue<TaskContext> begun = new LinkedBlockingQueue<>();
  private final CountDownLatch end = new CountDownLatch(1);
  private final AtomicInteger interrupts = new AtomicInteger();

  private Patient(boolean stubborn) {
    this.stubborn = stubborn;
  }

  /** Ends when it is interrupted. */
  static Patient obedient() {
    return new Patient(false);
  }

  /** Goes on when it is interrupted, as code that waits for somebody else's answer does. */
  static Patient stubborn() {
    return new Patient(true);
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
        if (!stubborn) {
          throw interrupt;
        }
      }
    }
  }

  /** Waits until one more has begun. */
  TaskContext awaitBegun() throws InterruptedException {
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
  void end() {
    end.countDown();
  }
}
