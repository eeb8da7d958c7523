// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.spi.TaskSnapshot;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.StoreException;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides and writes what follows for tasks that were found. One that cannot be decided, or that
 * the store does not take, does not keep the others waiting.
 */
final class ChangeWriter {

  /** So much text of deliveries is written at once, and then the rest: it is all in memory. */
  static final int MAX_CHARACTERS = 4 << 20;

  private static final Logger LOG = LoggerFactory.getLogger(ChangeWriter.class);

  private final TaskStore store;
  private final InFlightAttempts inFlightAttempts;
  private final EngineListener listener;

  /** What was decided for a task as it was at that instant. */
  private record DecidedChange(Task task, TaskChange change, Instant at) {

    int characters() {
      return change.deliveries().stream()
          .mapToInt(delivery -> delivery.message().request().length())
          .sum();
    }
  }

  ChangeWriter(TaskStore store, InFlightAttempts inFlightAttempts, EngineListener listener) {
    this.store = store;
    this.inFlightAttempts = inFlightAttempts;
    this.listener = listener;
  }

  /** Tells how many were written; the others were no longer as they had been found. */
  int write(TaskSnapshot found, BiFunction<Task, Instant, TaskChange> decide) {
    return write(found.tasks(), task -> found.now(), decide);
  }

  /** The same for tasks that nothing happened to since they were last written. */
  int write(List<Task> found, BiFunction<Task, Instant, TaskChange> decide) {
    return write(found, task -> task.times().updatedAt(), decide);
  }

  private int write(
      List<Task> found, Function<Task, Instant> now, BiFunction<Task, Instant, TaskChange> decide) {
    List<DecidedChange> decided = new ArrayList<>();
    int characters = 0;
    int written = 0;
    for (Task task : found) {
      DecidedChange one = decided(task, now.apply(task), decide);
      if (one != null) {
        decided.add(one);
        characters += one.characters();
      }
      if (characters > MAX_CHARACTERS) {
        written += write(decided);
        decided.clear();
        characters = 0;
      }
    }
    return written + write(decided);
  }

  private static @Nullable DecidedChange decided(
      Task task, Instant at, BiFunction<Task, Instant, TaskChange> decide) {
    try {
      return new DecidedChange(task, decide.apply(task, at), at);
    } catch (RuntimeException undecidable) {
      LOG.atWarn()
          .setCause(undecidable)
          .addKeyValue("task", task.id())
          .log("cannot be decided, and stays as it is");
      return null;
    }
  }

  private int write(List<DecidedChange> decided) {
    if (decided.isEmpty()) {
      return 0;
    }
    try {
      return apply(decided);
    } catch (StoreException problem) {
      if (problem.unavailable()) {
        throw problem;
      }
      if (decided.size() == 1) {
        listener.onStoreError("sweep", problem);
        return 0;
      }
    }
    int written = 0;
    for (DecidedChange one : decided) {
      written += write(List.of(one));
    }
    return written;
  }

  private int apply(List<DecidedChange> decided) {
    List<WriteResult> writeResults =
        store.apply(decided.stream().map(DecidedChange::change).toList());
    int written = 0;
    for (int i = 0; i < decided.size(); i++) {
      if (writeResults.get(i).applied()) {
        DecidedChange one = decided.get(i);
        written++;
        afterWrite(one.task(), one.change(), one.at());
      }
    }
    return written;
  }

  /** A change was written: who runs the attempt here must stop, and listeners hear of it. */
  void afterWrite(Task before, TaskChange taskChange, Instant now) {
    RunningAttempt runningAttempt = inFlightAttempts.find(taskChange.lease());
    if (runningAttempt != null && !taskChange.to().isLeased()) {
      runningAttempt.stop(RunningAttempt.AttemptStopReason.LEASE_LOST);
    }
    Instant started = before.times().startedAt();
    boolean ended = taskChange.attemptDetails() != null && started != null;
    listener.onChanged(before, taskChange, ended ? Duration.between(started, now) : Duration.ZERO);
  }
}
