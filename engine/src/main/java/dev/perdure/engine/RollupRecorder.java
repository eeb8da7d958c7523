// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.query.DurationHistogram;
import dev.perdure.engine.query.RollupCounter;
import dev.perdure.engine.query.RollupCounts;
import dev.perdure.engine.task.AttemptDetails;
import dev.perdure.engine.task.AttemptOutcome;
import dev.perdure.engine.task.DeliveryOutcome;
import dev.perdure.engine.task.Lease;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Counts in memory what this node does. Counting takes no lock. Adders are never reset, because a
 * reset could lose what another thread adds at that moment; {@link #drain} takes differences.
 */
final class RollupRecorder implements EngineListener {

  /** A kind without work for this many drains is forgotten, which makes room for others. */
  private static final int MAX_IDLE_DRAINS = 4;

  private final Adders total = new Adders(RollupCounter.values().length);
  private final Adders runTimes = new Adders(DurationHistogram.SIZE);
  private final Adders lateness = new Adders(DurationHistogram.SIZE);
  private final Map<String, Adders> byKind = new ConcurrentHashMap<>();

  /** Forgotten at the last drain. A thread may have held one then, so they are read once more. */
  private Map<String, Adders> retired = Map.of();

  /** Numbers to which many threads add and from which one reads. */
  private static final class Adders {

    private final LongAdder[] adders;
    private final long[] drained;
    private int idleDrains;

    Adders(int size) {
      adders = new LongAdder[size];
      drained = new long[size];
      for (int i = 0; i < size; i++) {
        adders[i] = new LongAdder();
      }
    }

    void add(int index, long count) {
      adders[index].add(count);
    }

    void drain(ObjLongConsumer<Integer> consumer) {
      idleDrains++;
      for (int i = 0; i < adders.length; i++) {
        long sum = adders[i].sum();
        if (sum != drained[i]) {
          idleDrains = 0;
          consumer.accept(i, sum - drained[i]);
          drained[i] = sum;
        }
      }
    }
  }

  @Override
  public void onSubmitted(Map<String, Integer> tasksByKind) {
    tasksByKind.forEach((kind, tasks) -> count(kind, RollupCounter.SUBMITTED, tasks));
  }

  @Override
  public void onStarted(Lease lease, Instant now) {
    String kind = lease.task().definition().kind();
    count(kind, RollupCounter.STARTED, 1);
    if (lease.previousFailureKind() != null) {
      count(kind, RollupCounter.RETRIED, 1);
    }
    Duration late = Duration.between(lease.task().times().dueAt(), now);
    lateness.add(DurationHistogram.indexOf(late), 1);
  }

  @Override
  public void onChanged(Task before, TaskChange change, Duration ran) {
    String kind = before.definition().kind();
    AttemptDetails details = change.attemptDetails();
    RollupCounter ended = details == null ? null : counterOf(details.outcome());
    if (ended != null) {
      count(kind, ended, 1);
      if (ended != RollupCounter.LOST) {
        runTimes.add(DurationHistogram.indexOf(ran), 1);
      }
    }
    if (change.to() == TaskState.FAILURE && before.state().isLive()) {
      count(kind, RollupCounter.GAVE_UP, 1);
    }
  }

  private static @Nullable RollupCounter counterOf(AttemptOutcome outcome) {
    return switch (outcome) {
      case SUCCESS -> RollupCounter.SUCCEEDED;
      case FAILURE -> RollupCounter.FAILED;
      case LOST -> RollupCounter.LOST;
      case HANDED_BACK, SNOOZED, CANCELED, RESOLVED -> null;
    };
  }

  @Override
  public void onDeliveryAttempted(String trigger, DeliveryOutcome outcome, Duration took) {
    switch (outcome) {
      case SENT -> total.add(RollupCounter.DELIVERED.position(), 1);
      case DEAD -> total.add(RollupCounter.UNDELIVERED.position(), 1);
      case FAILED, DEFERRED -> {
        // It is tried again.
      }
    }
  }

  private void count(String kind, RollupCounter counter, long count) {
    total.add(counter.position(), count);
    Adders adders = byKind.get(kind);
    if (adders == null) {
      if (kind.isEmpty() || byKind.size() >= RollupCounts.MAX_KINDS) {
        return;
      }
      adders = byKind.computeIfAbsent(kind, any -> new Adders(RollupCounter.values().length));
    }
    adders.add(counter.position(), count);
  }

  /** Returns what was counted since the last call. Not to be called by two threads at once. */
  RollupCounts drain() {
    RollupCounter[] counters = RollupCounter.values();
    RollupCounts counts = new RollupCounts();
    total.drain((index, count) -> counts.add(counters[index], count));
    runTimes.drain((index, count) -> counts.runTimes().add(index, count));
    lateness.drain((index, count) -> counts.lateness().add(index, count));
    List<String> idle = new ArrayList<>();
    byKind.forEach(
        (kind, adders) -> {
          adders.drain((index, count) -> counts.addToKind(kind, counters[index], count));
          if (adders.idleDrains >= MAX_IDLE_DRAINS) {
            idle.add(kind);
          }
        });
    retired.forEach(
        (kind, adders) ->
            adders.drain((index, count) -> counts.addToKind(kind, counters[index], count)));
    retired = new ConcurrentHashMap<>();
    for (String kind : idle) {
      retired.put(kind, byKind.remove(kind));
    }
    return counts;
  }
}
