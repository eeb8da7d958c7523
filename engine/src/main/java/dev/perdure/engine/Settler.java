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
 * Writes the ends of attempts, many in one transaction. A slot is free again only when the end of
 * its attempt is durable, so what waits here is never more than the node has slots.
 *
 * <p>When the store fails, the ends stay and are written later, in smaller and smaller batches; so
 * one that the store cannot take, whatever the reason, in the end stands alone. Alone, and refused
 * for good, it is written as a failure that says so instead. What is refused is looked for without
 * a wait: the others need not suffer for it.
 */
final class Settler {

  static final int MAX_BATCH_SIZE = 1_000;
  static final int MAX_SINGLE_TRIES = 5;
  private static final int MAX_RECORDS = 10;
  private static final Logger LOG = LoggerFactory.getLogger("dev.perdure.engine");

  private final TaskStore store;
  private final InFlightAttempts inFlightAttempts;
  private final TaskLifecycle taskLifecycle;
  private final EngineListener listener;
  private final LateCancelNotifier lateCancelNotifier;
  private final Deque<PendingSettlement> waiting = new ArrayDeque<>();
  private volatile Runnable onAdded = () -> {};
  private volatile Runnable onFreed = () -> {};
  private int batchSize = MAX_BATCH_SIZE;

  /**
   * The end of an attempt, on its way to the store.
   *
   * @param singleTries how often the store broke on it when it stood alone
   * @param maybeWritten true when it may have been written before: the answer was lost, or other
   *     shards than those that failed were written
   * @param replacement true when it says that the real end could not be stored
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
      InFlightAttempts inFlightAttempts,
      TaskLifecycle taskLifecycle,
      EngineListener listener) {
    this.store = store;
    this.inFlightAttempts = inFlightAttempts;
    this.taskLifecycle = taskLifecycle;
    this.listener = listener;
    this.lateCancelNotifier = new LateCancelNotifier(store, taskLifecycle);
  }

  void setCallbacks(Runnable added, Runnable freed) {
    onAdded = added;
    onFreed = freed;
  }

  void add(RunningAttempt runningAttempt, TaskChange taskChange, Duration tick) {
    boolean first;
    synchronized (waiting) {
      first = waiting.isEmpty();
      waiting.add(new PendingSettlement(runningAttempt, taskChange, tick, 0, false, false));
    }
    if (first) {
      onAdded.run();
    }
  }

  /** Writes one batch, or finds out that part of it is refused; 0 when nothing waits. */
  int runOnce() {
    List<PendingSettlement> batch = take();
    if (batch.isEmpty()) {
      return 0;
    }
    List<WriteResult> writeResults;
    try {
      writeResults = store.apply(batch.stream().map(PendingSettlement::change).toList());
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
    // Before anybody hears of it: what a listener does must not keep a slot from being free.
    batch.forEach(one -> inFlightAttempts.remove(one.running()));
    onFreed.run();
    for (int i = 0; i < batch.size(); i++) {
      notifyListener(batch.get(i), writeResults.get(i));
    }
    return batch.size();
  }

  boolean isEmpty() {
    synchronized (waiting) {
      return waiting.isEmpty();
    }
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

  private void notifyListener(PendingSettlement one, WriteResult writeResult) {
    RunningAttempt runningAttempt = one.running();
    TaskChange byHandler = runningAttempt.settledByHandler();
    Duration ran = runningAttempt.ran(one.endedTick());
    if (writeResult.applied() || (one.maybeWritten() && isRecorded(one.change()))) {
      listener.onChanged(runningAttempt.task(), one.change(), ran);
    } else if (byHandler != null && isRecorded(byHandler)) {
      listener.onChanged(runningAttempt.task(), byHandler, ran);
    } else if (one.change().handsOff()
        && lateCancelNotifier.notifyIfEnded(runningAttempt.task(), one.change())) {
      // Nothing was late: the task had ended before the callee answered.
      LOG.debug(
          "task {} had ended before its callee had taken it over", runningAttempt.task().id());
    } else if (runningAttempt.stopReason() != RunningAttempt.AttemptStopReason.LEASE_LOST) {
      // Otherwise, as after a cancel, everybody knew that the task had moved on.
      listener.onStaleWrite(runningAttempt.key());
    }
  }

  /** True when the lease's record is this very end: it was written before. */
  private boolean isRecorded(TaskChange end) {
    try {
      return store.reader().attempts(end.task(), MAX_RECORDS).stream()
          .anyMatch(
              record ->
                  record.epoch() == end.guard().epoch()
                      && record.details().equals(end.attemptDetails()));
    } catch (StoreException nobodyKnows) {
      return false;
    }
  }

  private void requeue(List<PendingSettlement> batch, Throwable problem) {
    List<PendingSettlement> again =
        batch.stream().map(PendingSettlement::markMaybeWritten).toList();
    synchronized (waiting) {
      if (again.size() > 1) {
        batchSize = Math.max(1, again.size() / 2);
        again.reversed().forEach(waiting::addFirst);
      } else {
        // To the end: it must not keep the others waiting.
        waiting.addLast(afterSingleTry(again.getFirst(), problem));
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
        .log("the end of an attempt cannot be stored, and is written as a failure");
    Failure unstorable =
        Failure.of(FailureKind.EXPLICIT)
            .withCode("unstorable")
            .withMessage("the end of this attempt could not be stored; the log has the reason");
    TaskChange instead =
        taskLifecycle.settle(
            one.running().task(),
            new Outcome.Failed(unstorable, null),
            one.running().databaseTime(one.endedTick()));
    return new PendingSettlement(one.running(), instead, one.endedTick(), 0, false, true);
  }
}
