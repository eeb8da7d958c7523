// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.store.Reading;
import dev.perdure.engine.store.TaskStore;
import dev.perdure.engine.store.Verdict;
import dev.perdure.engine.task.Change;
import dev.perdure.engine.task.Task;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.BiFunction;

/** Decides and writes what follows for tasks that a sweep found. */
final class Changes {

  private final TaskStore store;
  private final InFlight inFlight;
  private final EngineListener listener;

  Changes(TaskStore store, InFlight inFlight, EngineListener listener) {
    this.store = store;
    this.inFlight = inFlight;
    this.listener = listener;
  }

  /** Tells how many were written; the others were no longer as the sweep had found them. */
  int write(Reading found, BiFunction<Task, Instant, Change> decide) {
    if (found.tasks().isEmpty()) {
      return 0;
    }
    List<Change> changes =
        found.tasks().stream().map(task -> decide.apply(task, found.now())).toList();
    List<Verdict> verdicts = store.apply(changes);
    int written = 0;
    for (int i = 0; i < changes.size(); i++) {
      if (verdicts.get(i).applied()) {
        written++;
        told(found.tasks().get(i), changes.get(i), found.now());
      }
    }
    return written;
  }

  /** A change was written: who runs the attempt here must stop, and listeners hear of it. */
  void told(Task before, Change change, Instant now) {
    Running running = inFlight.find(change.lease());
    if (running != null && !change.to().isHeld()) {
      running.stop(Running.Stop.NOT_OURS);
    }
    Instant started = before.times().startedAt();
    boolean ended = change.note() != null && started != null;
    listener.onChanged(before, change, ended ? Duration.between(started, now) : Duration.ZERO);
  }
}
