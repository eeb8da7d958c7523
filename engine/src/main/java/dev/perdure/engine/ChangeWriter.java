// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.spi.TaskSnapshot;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.StoreException;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides and writes changes of tasks that a sweep or an operator found. A task that cannot be
 * decided, or whose change the store refuses, does not hold up the others.
 */
final class ChangeWriter {

  /** Limits the characters of deliveries in one write, because all of it is in memory. */
  static final int MAX_CHARACTERS = 4 << 20;

  private static final Logger LOG = LoggerFactory.getLogger(ChangeWriter.class);

  private final ChangeApplier applier;
  private final InFlightAttempts inFlight;
  private final EngineListener listener;

  /** The decision for a task as it was at this instant. */
  private record DecidedChange(Task task, TaskChange change, Instant at) {

    int characters() {
      return change.deliveries().stream()
          .mapToInt(delivery -> delivery.message().request().length())
          .sum();
    }
  }

  ChangeWriter(ChangeApplier applier, InFlightAttempts inFlight, EngineListener listener) {
    this.applier = applier;
    this.inFlight = inFlight;
    this.listener = listener;
  }

  /**
   * Writes the decisions and returns how many were applied; the other tasks have changed meanwhile.
   */
  int write(TaskSnapshot found, BiFunction<Task, Instant, TaskChange> decide) {
    return write(found.tasks(), task -> found.now(), decide, task -> {});
  }

  /** Like {@link #write(TaskSnapshot, BiFunction)}, for tasks that were read one by one. */
  int write(List<Task> found, BiFunction<Task, Instant, TaskChange> decide) {
    return write(found, decide, task -> {});
  }

  /**
   * @param onWritten gets each task whose change was applied, as it was before
   */
  int write(
      List<Task> found, BiFunction<Task, Instant, TaskChange> decide, Consumer<Task> onWritten) {
    return write(found, task -> task.times().updatedAt(), decide, onWritten);
  }

  private int write(
      List<Task> found,
      Function<Task, Instant> now,
      BiFunction<Task, Instant, TaskChange> decide,
      Consumer<Task> onWritten) {
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
        written += write(decided, onWritten);
        decided.clear();
        characters = 0;
      }
    }
    return written + write(decided, onWritten);
  }

  private static @Nullable DecidedChange decided(
      Task task, Instant at, BiFunction<Task, Instant, TaskChange> decide) {
    try {
      return new DecidedChange(task, decide.apply(task, at), at);
    } catch (RuntimeException undecidable) {
      LOG.atWarn()
          .setCause(undecidable)
          .addKeyValue("task", task.id())
          .log("the next state of the task cannot be decided; the task stays as it is");
      return null;
    }
  }

  private int write(List<DecidedChange> decided, Consumer<Task> onWritten) {
    if (decided.isEmpty()) {
      return 0;
    }
    try {
      return apply(decided, onWritten);
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
      written += write(List.of(one), onWritten);
    }
    return written;
  }

  private int apply(List<DecidedChange> decided, Consumer<Task> onWritten) {
    List<WriteResult> results = applier.apply(decided.stream().map(DecidedChange::change).toList());
    int written = 0;
    for (int i = 0; i < decided.size(); i++) {
      if (results.get(i).applied()) {
        DecidedChange one = decided.get(i);
        written++;
        onWritten.accept(one.task());
        afterWrite(one.task(), one.change(), one.at());
      }
    }
    return written;
  }

  /** Stops the attempt if it runs here and informs the listeners. */
  void afterWrite(Task before, TaskChange change, Instant now) {
    RunningAttempt running = inFlight.find(change.lease());
    if (running != null && !change.to().isLeased()) {
      running.stop(RunningAttempt.AttemptStopReason.LEASE_LOST);
    }
    Instant started = before.times().startedAt();
    boolean ended = change.attemptDetails() != null && started != null;
    listener.onChanged(before, change, ended ? Duration.between(started, now) : Duration.ZERO);
  }
}
