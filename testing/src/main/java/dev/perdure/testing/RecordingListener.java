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

/** Hears what an engine does, and lets a test wait for it. */
public final class RecordingListener implements EngineListener {

  private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final List<TaskChange> taskChanges = new ArrayList<>();
  private final List<LeaseKey> stale = new ArrayList<>();

  public RecordingListener() {}

  @Override
  public synchronized void onChanged(Task before, TaskChange taskChange, Duration ran) {
    taskChanges.add(taskChange);
    notifyAll();
  }

  @Override
  public synchronized void onStaleWrite(LeaseKey key) {
    stale.add(key);
    notifyAll();
  }

  /** Every change so far, in order. */
  public synchronized List<TaskChange> changes() {
    return List.copyOf(taskChanges);
  }

  public synchronized List<LeaseKey> stale() {
    return List.copyOf(stale);
  }

  /** Waits until the task was told to be in this state; half a minute at most. */
  public void awaitState(UUID task, TaskState state) throws InterruptedException {
    await(
        "task " + task + " " + state.text(),
        recordingListener ->
            recordingListener.taskChanges.stream()
                .anyMatch(c -> c.task().equals(task) && c.to() == state));
  }

  /** Waits until so many tasks were told to be in this state. */
  public void awaitCount(TaskState state, int count) throws InterruptedException {
    await(
        count + " tasks " + state.text(),
        recordingListener ->
            recordingListener.taskChanges.stream().filter(c -> c.to() == state).count() >= count);
  }

  private synchronized void await(String what, Predicate<RecordingListener> happened)
      throws InterruptedException {
    long end = System.nanoTime() + LIMIT_NANOS;
    while (!happened.test(this)) {
      long left = end - System.nanoTime();
      if (left <= 0) {
        throw new AssertionError("waited in vain for " + what + "; heard " + taskChanges);
      }
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
  }
}
