// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.internal.TaskLifecycle;
import dev.perdure.engine.spi.DependencyStore;
import dev.perdure.engine.spi.DependencyStore.Propagation;
import dev.perdure.engine.spi.ParentStatus;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Tells tasks that the tasks they depend on have ended or were revived. It releases those that need
 * not wait any longer, fails those that waited in vain, brings those back that failed because of a
 * task that was revived, and cancels dead ends.
 */
final class DependencyPropagator {

  /** Tasks are read whole to decide about them, and their payloads can be large. */
  private static final int MAX_DECISIONS = 100;

  private final TaskStore store;
  private final TaskLifecycle lifecycle;
  private final ChangeWriter changeWriter;
  private final EngineListener listener;
  private volatile Runnable onReleased = () -> {};

  DependencyPropagator(
      TaskStore store,
      TaskLifecycle lifecycle,
      ChangeWriter changeWriter,
      EngineListener listener) {
    this.store = store;
    this.lifecycle = lifecycle;
    this.changeWriter = changeWriter;
    this.listener = listener;
  }

  /** Calls back when tasks can be claimed that waited before. */
  void onReleased(Runnable value) {
    onReleased = value;
  }

  /** Runs one batch; returns 0 when there is nothing left to do now. */
  int runOnce() {
    Propagation done = store.dependencies().propagate(DependencyStore.MAX_BATCH_SIZE);
    if (done.released() > 0) {
      onReleased.run();
    }
    if (done.lag() != null) {
      listener.onPropagated(done.dependencies(), done.lag());
    }
    return done.events()
        + done.dependencies()
        + decide(done.undecided(), DependencyPropagator::needsDecision, this::decision)
        + decide(done.deadEnds(), task -> task.state().isLive(), lifecycle::cancel);
  }

  private static boolean needsDecision(Task task) {
    return ParentStatus.of(task).needsDecision();
  }

  private TaskChange decision(Task task) {
    return ParentStatus.of(task).mustFail()
        ? lifecycle.failUpstream(task)
        : lifecycle.reviveAfterUpstream(task);
  }

  private int decide(
      List<UUID> undecided, Predicate<Task> condition, Function<Task, TaskChange> decision) {
    int decided = 0;
    for (int from = 0; from < undecided.size(); from += MAX_DECISIONS) {
      List<UUID> chunk = undecided.subList(from, Math.min(undecided.size(), from + MAX_DECISIONS));
      List<Task> tasks = store.reader().findAll(chunk).stream().filter(condition).toList();
      decided +=
          changeWriter.write(tasks, (task, now) -> decision.apply(task), this::afterDecision);
    }
    return decided;
  }

  /** A revived task whose dependencies are all satisfied can be claimed at once. */
  private void afterDecision(Task before) {
    if (before.dependencies().unmet() == 0) {
      onReleased.run();
    }
  }
}
