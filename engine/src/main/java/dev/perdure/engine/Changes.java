// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.store.Reading;
import dev.perdure.engine.store.StoreException;
import dev.perdure.engine.store.TaskStore;
import dev.perdure.engine.store.Verdict;
import dev.perdure.engine.task.Change;
import dev.perdure.engine.task.Task;
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
final class Changes {

  /** So much text of deliveries is written at once, and then the rest: it is all in memory. */
  static final int MOST_CHARACTERS = 4 << 20;

  private static final Logger LOG = LoggerFactory.getLogger(Changes.class);

  private final TaskStore store;
  private final InFlight inFlight;
  private final EngineListener listener;

  /** What was decided for a task as it was at that instant. */
  private record Decided(Task task, Change change, Instant at) {

    int characters() {
      return change.deliveries().stream()
          .mapToInt(delivery -> delivery.announcement().request().length())
          .sum();
    }
  }

  Changes(TaskStore store, InFlight inFlight, EngineListener listener) {
    this.store = store;
    this.inFlight = inFlight;
    this.listener = listener;
  }

  /** Tells how many were written; the others were no longer as they had been found. */
  int write(Reading found, BiFunction<Task, Instant, Change> decide) {
    return write(found.tasks(), task -> found.now(), decide);
  }

  /** The same for tasks that nothing happened to since they were last written. */
  int write(List<Task> found, BiFunction<Task, Instant, Change> decide) {
    return write(found, task -> task.times().updatedAt(), decide);
  }

  private int write(
      List<Task> found, Function<Task, Instant> now, BiFunction<Task, Instant, Change> decide) {
    List<Decided> decided = new ArrayList<>();
    int characters = 0;
    int written = 0;
    for (Task task : found) {
      Decided one = decided(task, now.apply(task), decide);
      if (one != null) {
        decided.add(one);
        characters += one.characters();
      }
      if (characters > MOST_CHARACTERS) {
        written += write(decided);
        decided.clear();
        characters = 0;
      }
    }
    return written + write(decided);
  }

  private static @Nullable Decided decided(
      Task task, Instant at, BiFunction<Task, Instant, Change> decide) {
    try {
      return new Decided(task, decide.apply(task, at), at);
    } catch (RuntimeException undecidable) {
      LOG.atWarn()
          .setCause(undecidable)
          .addKeyValue("task", task.id())
          .log("cannot be decided, and stays as it is");
      return null;
    }
  }

  private int write(List<Decided> decided) {
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
    for (Decided one : decided) {
      written += write(List.of(one));
    }
    return written;
  }

  private int apply(List<Decided> decided) {
    List<Verdict> verdicts = store.apply(decided.stream().map(Decided::change).toList());
    int written = 0;
    for (int i = 0; i < decided.size(); i++) {
      if (verdicts.get(i).applied()) {
        Decided one = decided.get(i);
        written++;
        told(one.task(), one.change(), one.at());
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
