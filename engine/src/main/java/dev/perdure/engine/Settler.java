// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.internal.TaskLifecycle;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.StoreException;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.policy.Failure;
import dev.perdure.policy.FailureKind;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the ends of attempts, many in one transaction. A slot is free only when the end of its
 * attempt is durable, so the number of slots limits how many ends wait here.
 *
 * <p>When the store fails, the ends stay and are written again in batches of half the size, until
 * an end that the store refuses is alone. It is then replaced by a failure that says so. The search
 * for a refused end does not wait, so that the others are not delayed.
 */
final class Settler {

  static final int MAX_BATCH_SIZE = 1_000;
  static final int MAX_SINGLE_TRIES = 5;
  private static final int MAX_RECORDS = 10;
  private static final Logger LOG = LoggerFactory.getLogger("dev.perdure.engine");

  private final TaskStore store;
  private final ChangeApplier applier;
  private final InFlightAttempts inFlight;
  private final TaskLifecycle lifecycle;
  private final EngineListener listener;
  private final LateCancelNotifier lateCancelNotifier;
  private final Deque<PendingSettlement> waiting = new ArrayDeque<>();
  private volatile Runnable onAdded = () -> {};
  private volatile Runnable onFreed = () -> {};
  private int batchSize = MAX_BATCH_SIZE;

  /**
   * The end of an attempt on its way to the store.
   *
   * @param singleTries how often the store threw on it alone
   * @param maybeWritten true when it may have been written before: the answer was lost, or only
   *     some shards failed
   * @param replacement true when it replaces an end that could not be stored
   */
  private record PendingSettlement(
      RunningAttempt running,
      TaskChange change,
      Duration endedTick,
      int singleTries,
      boolean maybeWritten,
      boolean replacement) {

    PendingSettlement markMaybeWritten() {
      return new PendingSettlement(running, change, endedTick, singleTries, true, replacement);
    }

    PendingSettlement withSingleTry() {
      return new PendingSettlement(
          running, change, endedTick, singleTries + 1, maybeWritten, replacement);
    }
  }

  Settler(
      TaskStore store,
      ChangeApplier applier,
      InFlightAttempts inFlight,
      TaskLifecycle lifecycle,
      EngineListener listener) {
    this.store = store;
    this.applier = applier;
    this.inFlight = inFlight;
    this.lifecycle = lifecycle;
    this.listener = listener;
    this.lateCancelNotifier = new LateCancelNotifier(store, lifecycle);
  }

  void setCallbacks(Runnable added, Runnable freed) {
    onAdded = added;
    onFreed = freed;
  }

  void add(RunningAttempt running, TaskChange change, Duration tick) {
    boolean first;
    synchronized (waiting) {
      first = waiting.isEmpty();
      waiting.add(new PendingSettlement(running, change, tick, 0, false, false));
    }
    if (first) {
      onAdded.run();
    }
  }

  /** Writes one batch, or finds out that part of it is refused; returns 0 when nothing waits. */
  int runOnce() {
    List<PendingSettlement> batch = take();
    if (batch.isEmpty()) {
      return 0;
    }
    List<WriteResult> results;
    try {
      results = applier.applyEnds(batch.stream().map(PendingSettlement::change).toList());
    } catch (RuntimeException | Error problem) {
      boolean stuck = batch.size() == 1 && batch.getFirst().replacement();
      requeue(batch, problem);
      if (stuck || !(problem instanceof StoreException refused) || refused.unavailable()) {
        throw problem;
      }
      listener.onStoreError("settle", refused);
      return batch.size();
    }
    batchSize = Math.min(MAX_BATCH_SIZE, batchSize * 2);
    // Before the listeners are called: a slow listener must not keep slots taken.
    batch.forEach(one -> inFlight.remove(one.running()));
    onFreed.run();
    for (int i = 0; i < batch.size(); i++) {
      notifyListener(batch.get(i), results.get(i));
    }
    return batch.size();
  }

  private List<PendingSettlement> take() {
    synchronized (waiting) {
      List<PendingSettlement> batch = new ArrayList<>(Math.min(batchSize, waiting.size()));
      while (batch.size() < batchSize && !waiting.isEmpty()) {
        batch.add(waiting.poll());
      }
      return batch;
    }
  }

  private void notifyListener(PendingSettlement one, WriteResult result) {
    RunningAttempt running = one.running();
    TaskChange byHandler = running.settledByHandler();
    Duration ran = running.ran(one.endedTick());
    if (result.applied() || (one.maybeWritten() && isRecorded(one.change()))) {
      listener.onChanged(running.task(), one.change(), ran);
    } else if (byHandler != null && isRecorded(byHandler)) {
      listener.onChanged(running.task(), byHandler, ran);
    } else if (one.change().handsOff()
        && lateCancelNotifier.notifyIfEnded(running.task(), one.change())) {
      // This is not stale: the task had ended before the callee answered.
      LOG.debug("task {} had ended before its callee took it over", running.task().id());
    } else if (running.stopReason() != RunningAttempt.AttemptStopReason.LEASE_LOST) {
      // A lost lease, as after a cancel, was already reported.
      listener.onStaleWrite(running.key());
    }
  }

  /** True when the record of the lease is this end: it was written before. */
  private boolean isRecorded(TaskChange end) {
    try {
      return store.reader().attempts(end.task(), MAX_RECORDS).stream()
          .anyMatch(
              record ->
                  record.epoch() == end.guard().epoch()
                      && record.details().equals(end.attemptDetails()));
    } catch (StoreException unreadable) {
      return false;
    }
  }

  private void requeue(List<PendingSettlement> batch, Throwable problem) {
    List<PendingSettlement> retried =
        batch.stream().map(PendingSettlement::markMaybeWritten).toList();
    synchronized (waiting) {
      if (retried.size() > 1) {
        batchSize = Math.max(1, retried.size() / 2);
        retried.reversed().forEach(waiting::addFirst);
      } else {
        // To the end of the queue, so that the others do not wait for it.
        waiting.addLast(afterSingleTry(retried.getFirst(), problem));
      }
    }
  }

  private PendingSettlement afterSingleTry(PendingSettlement one, Throwable problem) {
    if (one.replacement() || (problem instanceof StoreException store && store.unavailable())) {
      return one;
    }
    boolean refused = problem instanceof StoreException;
    if (!refused && one.singleTries() + 1 < MAX_SINGLE_TRIES) {
      return one.withSingleTry();
    }
    LOG.atError()
        .setCause(problem)
        .addKeyValue("task", one.change().task())
        .addKeyValue("epoch", one.change().guard().epoch())
        .log("the end of an attempt cannot be stored; a failure is written instead");
    Failure unstorable =
        Failure.of(FailureKind.EXPLICIT)
            .withCode("unstorable")
            .withMessage("the end of this attempt could not be stored; the log has the reason");
    TaskChange failure =
        lifecycle.settle(
            one.running().task(),
            new Outcome.Failed(unstorable, null),
            one.running().databaseTime(one.endedTick()));
    return new PendingSettlement(one.running(), failure, one.endedTick(), 0, false, true);
  }
}
