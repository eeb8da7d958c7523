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

/**
 * Writes the ends of attempts, many in one transaction. A slot is free again only when the end of
 * its attempt is durable, so what waits here is never more than the node has slots.
 *
 * <p>When the store fails, the ends stay and are written later, in smaller and smaller batches; so
 * one that the store cannot take, whatever the reason, in the end stands alone. Alone, and refused
 * for the last time, it is written as a failure that says so instead.
 */
final class Settler {

  static final int MOST_AT_ONCE = 1_000;
  static final int MOST_TRIES_ALONE = 5;
  private static final int MOST_RECORDS = 10;

  private final TaskStore store;
  private final InFlight inFlight;
  private final Lifecycle lifecycle;
  private final EngineListener listener;
  private final Deque<Settlement> waiting = new ArrayDeque<>();
  private volatile Runnable onAdded = () -> {};
  private volatile Runnable onFreed = () -> {};
  private int atOnce = MOST_AT_ONCE;

  /**
   * The end of an attempt, on its way to the store.
   *
   * @param triesAlone how often the store refused it when it stood alone
   * @param perhapsWritten true when it may have been written before, with the answer lost
   */
  private record Settlement(
      Running running, Change change, Duration endedTick, int triesAlone, boolean perhapsWritten) {

    Settlement doubted() {
      return new Settlement(running, change, endedTick, triesAlone, true);
    }

    Settlement triedAlone() {
      return new Settlement(running, change, endedTick, triesAlone + 1, perhapsWritten);
    }
  }

  Settler(TaskStore store, InFlight inFlight, Lifecycle lifecycle, EngineListener listener) {
    this.store = store;
    this.inFlight = inFlight;
    this.lifecycle = lifecycle;
    this.listener = listener;
  }

  void wakes(Runnable added, Runnable freed) {
    onAdded = added;
    onFreed = freed;
  }

  void add(Running running, Change change, Duration tick) {
    boolean first;
    synchronized (waiting) {
      first = waiting.isEmpty();
      waiting.add(new Settlement(running, change, tick, 0, running.maybeSettledByHandler()));
    }
    if (first) {
      onAdded.run();
    }
  }

  /** Writes one batch; tells how many ends it wrote. */
  int runOnce() {
    List<Settlement> batch = take();
    if (batch.isEmpty()) {
      return 0;
    }
    List<Verdict> verdicts;
    try {
      verdicts = store.apply(batch.stream().map(Settlement::change).toList());
    } catch (RuntimeException problem) {
      putBack(batch, problem);
      throw problem;
    }
    atOnce = Math.min(MOST_AT_ONCE, atOnce * 2);
    for (int i = 0; i < batch.size(); i++) {
      finish(batch.get(i), verdicts.get(i));
    }
    onFreed.run();
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

  private void finish(Settlement one, Verdict verdict) {
    Running running = one.running();
    inFlight.remove(running);
    if (verdict.applied() || isRecorded(one)) {
      listener.onChanged(running.task(), one.change(), running.ran(one.endedTick()));
    } else {
      listener.onStale(running.key());
    }
  }

  /** True when the lease's record is this very end: it was written before, and the answer lost. */
  private boolean isRecorded(Settlement one) {
    if (!one.perhapsWritten()) {
      return false;
    }
    try {
      return store.reader().attempts(one.change().task(), MOST_RECORDS).stream()
          .anyMatch(
              record ->
                  record.epoch() == one.change().guard().epoch()
                      && record.note().equals(one.change().note()));
    } catch (StoreException nobodyKnows) {
      return false;
    }
  }

  private void putBack(List<Settlement> batch, RuntimeException problem) {
    boolean unknown = problem instanceof StoreException store && store.unknown();
    List<Settlement> again = unknown ? batch.stream().map(Settlement::doubted).toList() : batch;
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

  private Settlement triedAlone(Settlement one, RuntimeException problem) {
    if (problem instanceof StoreException store && store.unavailable()) {
      return one;
    }
    if (one.triesAlone() + 1 < MOST_TRIES_ALONE) {
      return one.triedAlone();
    }
    Failure unstorable =
        Failure.of(FailureKind.EXPLICIT)
            .withCode("unstorable")
            .withMessage("the end of this attempt could not be stored; the log has the reason");
    Change instead =
        lifecycle.settle(
            one.running().task(),
            new Outcome.Failed(unstorable, null),
            one.running().databaseTime(one.endedTick()));
    return new Settlement(one.running(), instead, one.endedTick(), 0, false);
  }
}
