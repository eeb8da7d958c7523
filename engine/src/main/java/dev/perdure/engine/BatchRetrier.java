// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.query.BatchSummary;
import dev.perdure.engine.spi.BatchStore;
import dev.perdure.engine.spi.CompletedRun;
import dev.perdure.engine.spi.RunDecision;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.task.Shards;
import dev.perdure.engine.task.StoreException;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends runs of batches, and starts the next ones when they are due. */
final class BatchRetrier {

  private static final Logger LOG = LoggerFactory.getLogger(BatchRetrier.class);
  private static final int MAX_BATCH_SIZE = 100;

  private final TaskStore store;
  private final RunDecider decider;
  private final IdGenerator ids;
  private final EngineListener listener;
  private volatile Runnable onStarted = () -> {};

  BatchRetrier(TaskStore store, RunDecider decider, IdGenerator ids, EngineListener listener) {
    this.store = store;
    this.decider = decider;
    this.ids = ids;
    this.listener = listener;
  }

  /** Calls back when the tasks of another run can be claimed. */
  void onStarted(Runnable value) {
    onStarted = value;
  }

  /** Runs one batch of work; returns 0 when there is nothing left to do now. */
  int runOnce() {
    return endRuns() + startRuns();
  }

  private int endRuns() {
    int ended = 0;
    for (CompletedRun run : store.batches().completedRuns(MAX_BATCH_SIZE)) {
      ended += one("end", run.batch(), () -> endRun(run));
    }
    return ended;
  }

  private boolean endRun(CompletedRun run) {
    RunDecision decision = decider.decide(run);
    boolean ended = store.batches().endRun(decision);
    if (ended && decision.delay() == null) {
      listener.onBatchEnded(run.batch(), decision.outcome());
    }
    return ended;
  }

  /** One run that cannot be decided or written must not hold up the others. */
  private int one(String what, UUID batch, BooleanSupplier action) {
    try {
      return action.getAsBoolean() ? 1 : 0;
    } catch (RuntimeException problem) {
      if (problem instanceof StoreException refused && refused.unavailable()) {
        throw refused;
      }
      LOG.atWarn()
          .setCause(problem)
          .addKeyValue("batch", batch)
          .log("cannot {} the run of a batch; it will be retried", what);
      return 0;
    }
  }

  /** Returns the number of the current run. */
  int currentRun(UUID batch) {
    return store.batches().currentRun(batch).orElseThrow(() -> unknown(batch));
  }

  private static NoSuchElementException unknown(UUID batch) {
    return new NoSuchElementException("there is no batch " + batch);
  }

  /**
   * Makes the next run due. When the answer is lost, the same run is asked for again, so that there
   * is only one.
   *
   * @return the number of that run
   */
  int runAgain(UUID batch, int currentRun) {
    BatchStore.DueRun next = new BatchStore.DueRun(batch, currentRun + 1);
    for (int tries = 1; tries <= TaskSubmitter.MAX_TRIES; tries++) {
      try {
        if (store.batches().runAgain(next)) {
          return next.number();
        }
        requireEnded(batch, currentRun); // If it ended just now, it can run again.
      } catch (StoreException failure) {
        if (!failure.unknown() || tries == TaskSubmitter.MAX_TRIES) {
          throw failure;
        }
      }
    }
    throw new IllegalStateException(
        "batch %s has just changed, or is being deleted; try again".formatted(batch));
  }

  private void requireEnded(UUID batch, int expectedRun) {
    BatchSummary found = store.batches().find(batch).orElseThrow(() -> unknown(batch));
    if (found.run() != expectedRun) {
      throw new IllegalStateException(
          "batch %s is at run %d, not at run %d".formatted(batch, found.run(), expectedRun));
    }
    boolean decided = found.runs().isEmpty() || found.runs().getLast().outcome() != null;
    if (found.endedAt() == null || !decided) {
      throw new IllegalStateException("batch " + batch + " is live; stop it first, or wait");
    }
  }

  private boolean startRun(BatchStore.DueRun run) {
    int shard = Shards.of(run.batch());
    int tasks = store.batches().startRun(run, () -> ids.next(shard));
    if (tasks > 0) {
      listener.onSubmitted(Map.of("", tasks)); // The store copied them.
    }
    return tasks > 0;
  }

  private int startRuns() {
    int started = 0;
    for (BatchStore.DueRun run : store.batches().dueRuns(MAX_BATCH_SIZE)) {
      started += one("start", run.batch(), () -> startRun(run));
    }
    if (started > 0) {
      onStarted.run();
    }
    return started;
  }
}
