// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.faults;

import dev.perdure.engine.EngineExecutor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** An executor that runs the handlers of a node only when the test tells it to. */
final class ManualWorkers implements EngineExecutor {

  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final Queue<Job> waiting = new ConcurrentLinkedQueue<>();
  private final List<Thread> started = new ArrayList<>();

  @Override
  public Interruptible start(String name, Runnable work) {
    Job job = new Job(work);
    waiting.add(job);
    return job;
  }

  /** Runs the waiting handlers one after the other. */
  int runAll() {
    int ran = 0;
    for (Job job = waiting.poll(); job != null; job = waiting.poll()) {
      job.run();
      // An interrupt of the handler must not reach the test.
      Thread.interrupted();
      ran++;
    }
    return ran;
  }

  /** Starts the waiting handlers, each on its own thread. */
  void startAll() {
    for (Job job = waiting.poll(); job != null; job = waiting.poll()) {
      started.add(Thread.ofVirtual().start(job));
    }
  }

  /** Waits until all started handlers have ended. */
  void awaitAll() throws InterruptedException {
    for (Thread thread : started) {
      if (!thread.join(LIMIT)) {
        throw new AssertionError("a handler did not end within " + LIMIT);
      }
    }
    started.clear();
  }

  private static final class Job implements Interruptible, Runnable {

    private final Runnable work;
    private boolean interrupted;
    private boolean ended;
    private Thread thread;

    Job(Runnable work) {
      this.work = work;
    }

    @Override
    public synchronized void interrupt() {
      interrupted = true;
      if (thread != null && !ended) {
        thread.interrupt();
      }
    }

    @Override
    public void run() {
      synchronized (this) {
        thread = Thread.currentThread();
        if (interrupted) {
          thread.interrupt();
        }
      }
      try {
        work.run();
      } finally {
        synchronized (this) {
          ended = true;
        }
      }
    }
  }
}
