// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.store.StoreException;
import dev.perdure.engine.store.TaskStore;
import dev.perdure.engine.store.Verdict;
import dev.perdure.engine.task.Change;
import dev.perdure.engine.task.Lifecycle;
import dev.perdure.engine.task.Outcome;
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

  static final int MOST_AT_ONCE = 1_000;
  static final int MOST_TRIES_ALONE = 5;
  private static final int MOST_RECORDS = 10;
  private static final Logger LOG = LoggerFactory.getLogger("dev.perdure.engine");

  private final TaskStore store;
  private final InFlight inFlight;
  private final Lifecycle lifecycle;
  private final EngineListener listener;
  private final Recaller recaller;
  private final Deque<Settlement> waiting = new ArrayDeque<>();
  private volatile Runnable onAdded = () -> {};
  private volatile Runnable onFreed = () -> {};
  private int atOnce = MOST_AT_ONCE;

  /**
   * The end of an attempt, on its way to the store.
   *
   * @param triesAlone how often the store broke on it when it stood alone
   * @param perhapsWritten true when it may have been written before: the answer was lost, or other
   *     shards than those that failed were written
   * @param instead true when it says that the real end could not be stored
   */
  private record Settlement(
      Running running,
      Change change,
      Duration endedTick,
      int triesAlone,
      boolean perhapsWritten,
      boolean instead) {

    Settlement doubted() {
      return new Settlement(running, change, endedTick, triesAlone, true, instead);
    }

    Settlement triedAlone() {
      return new Settlement(running, change, endedTick, triesAlone + 1, perhapsWritten, instead);
    }
  }

  Settler(TaskStore store, InFlight inFlight, Lifecycle lifecycle, EngineListener listener) {
    this.store = store;
    this.inFlight = inFlight;
    this.lifecycle = lifecycle;
    this.listener = listener;
    this.recaller = new Recaller(store, lifecycle);
  }

  void wakes(Runnable added, Runnable freed) {
    onAdded = added;
    onFreed = freed;
  }

  void add(Running running, Change change, Duration tick) {
    boolean first;
    synchronized (waiting) {
      first = waiting.isEmpty();
      waiting.add(new Settlement(running, change, tick, 0, false, false));
    }
    if (first) {
      onAdded.run();
    }
  }

  /** Writes one batch, or finds out that part of it is refused; 0 when nothing waits. */
  int runOnce() {
    List<Settlement> batch = take();
    if (batch.isEmpty()) {
      return 0;
    }
    List<Verdict> verdicts;
    try {
      verdicts = store.apply(batch.stream().map(Settlement::change).toList());
    } catch (RuntimeException | Error problem) {
      boolean stuck = batch.size() == 1 && batch.getFirst().instead();
      putBack(batch, problem);
      if (stuck || !(problem instanceof StoreException refused) || refused.unavailable()) {
        throw problem;
      }
      listener.onStoreError("settle", refused);
      return batch.size();
    }
    atOnce = Math.min(MOST_AT_ONCE, atOnce * 2);
    // Before anybody hears of it: what a listener does must not keep a slot from being free.
    batch.forEach(one -> inFlight.remove(one.running()));
    onFreed.run();
    for (int i = 0; i < batch.size(); i++) {
      tell(batch.get(i), verdicts.get(i));
    }
    return batch.size();
  }

  boolean isEmpty() {
    synchronized (waiting) {
      return waiting.isEmpty();
    }
  }

  private List<Settlement> take() {
    synchronized (waiting) {
      List<Settlement> batch = new ArrayList<>(Math.min(atOnce, waiting.size()));
      while (batch.size() < atOnce && !waiting.isEmpty()) {
        batch.add(waiting.poll());
      }
      return batch;
    }
  }

  private void tell(Settlement one, Verdict verdict) {
    Running running = one.running();
    Change byHandler = running.settledByHandler();
    Duration ran = running.ran(one.endedTick());
    if (verdict.applied() || (one.perhapsWritten() && isRecorded(one.change()))) {
      listener.onChanged(running.task(), one.change(), ran);
    } else if (byHandler != null && isRecorded(byHandler)) {
      listener.onChanged(running.task(), byHandler, ran);
    } else if (one.change().entrusts() && recaller.recall(running.task(), one.change())) {
      // Nothing was late: the task had ended before the callee answered.
      LOG.debug("task {} had ended before its callee had taken it over", running.task().id());
    } else if (running.stopped() != Running.Stop.NOT_OURS) {
      // Otherwise, as after a cancel, everybody knew that the task had moved on.
      listener.onStale(running.key());
    }
  }

  /** True when the lease's record is this very end: it was written before. */
  private boolean isRecorded(Change end) {
    try {
      return store.reader().attempts(end.task(), MOST_RECORDS).stream()
          .anyMatch(
              record -> record.epoch() == end.guard().epoch() && record.note().equals(end.note()));
    } catch (StoreException nobodyKnows) {
      return false;
    }
  }

  private void putBack(List<Settlement> batch, Throwable problem) {
    List<Settlement> again = batch.stream().map(Settlement::doubted).toList();
    synchronized (waiting) {
      if (again.size() > 1) {
        atOnce = Math.max(1, again.size() / 2);
        again.reversed().forEach(waiting::addFirst);
      } else {
        // To the end: it must not keep the others waiting.
        waiting.addLast(triedAlone(again.getFirst(), problem));
      }
    }
  }

  private Settlement triedAlone(Settlement one, Throwable problem) {
    if (one.instead() || (problem instanceof StoreException store && store.unavailable())) {
      return one;
    }
    boolean refused = problem instanceof StoreException;
    if (!refused && one.triesAlone() + 1 < MOST_TRIES_ALONE) {
      return one.triedAlone();
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
    Change instead =
        lifecycle.settle(
            one.running().task(),
            new Outcome.Failed(unstorable, null),
            one.running().databaseTime(one.endedTick()));
    return new Settlement(one.running(), instead, one.endedTick(), 0, false, true);
  }
}
