// SPDX-License-Identifier: Apache-2.0
package dev.perdure.testing;

import dev.perdure.engine.EngineListener;
import dev.perdure.engine.task.LeaseKey;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** A listener that records what an engine does and lets a test wait for it. */
public final class RecordingListener implements EngineListener {

  private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final List<TaskChange> changes = new ArrayList<>();
  private final List<LeaseKey> stale = new ArrayList<>();

  public RecordingListener() {}

  @Override
  public synchronized void onChanged(Task before, TaskChange change, Duration ran) {
    changes.add(change);
    notifyAll();
  }

  @Override
  public synchronized void onStaleWrite(LeaseKey key) {
    stale.add(key);
    notifyAll();
  }

  /** Returns all changes so far, in order. */
  public synchronized List<TaskChange> changes() {
    return List.copyOf(changes);
  }

  /** Returns the leases whose writes were refused as stale, in order. */
  public synchronized List<LeaseKey> stale() {
    return List.copyOf(stale);
  }

  /** Waits until the task has reached the state, for at most 30 s. */
  public void awaitState(UUID task, TaskState state) throws InterruptedException {
    await(
        "task " + task + " " + state.text(),
        recorded ->
            recorded.changes.stream().anyMatch(c -> c.task().equals(task) && c.to() == state));
  }

  /** Waits until the listener has recorded this many changes to the state, for at most 30 s. */
  public void awaitCount(TaskState state, int count) throws InterruptedException {
    await(
        count + " tasks " + state.text(),
        recorded -> recorded.changes.stream().filter(c -> c.to() == state).count() >= count);
  }

  private synchronized void await(String what, Predicate<RecordingListener> condition)
      throws InterruptedException {
    long end = System.nanoTime() + LIMIT_NANOS;
    while (!condition.test(this)) {
      long left = end - System.nanoTime();
      if (left <= 0) {
        throw new AssertionError("timed out waiting for " + what + "; changes so far: " + changes);
      }
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
  }
}
