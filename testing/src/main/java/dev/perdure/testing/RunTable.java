// SPDX-License-Identifier: Apache-2.0
package dev.perdure.testing;

import dev.perdure.engine.spi.BatchStore.DueRun;
import dev.perdure.engine.spi.RunDecision;
import dev.perdure.engine.task.BatchRun;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The runs of batches that have a retry policy or actions. */
final class RunTable {

  private final Map<UUID, List<BatchRun>> runs = new LinkedHashMap<>();
  private final Map<UUID, Integer> versions = new HashMap<>();

  void start(UUID batch, Instant now) {
    List<BatchRun> all = runs.computeIfAbsent(batch, id -> new ArrayList<>());
    if (!all.isEmpty()) {
      all.set(all.size() - 1, withNextRunAt(all.getLast(), null));
    }
    all.add(new BatchRun(all.size(), now, null, null, null, null, null, null));
  }

  /** Returns all runs of the batch, the first one first; empty when it keeps none. */
  List<BatchRun> of(UUID batch) {
    return List.copyOf(runs.getOrDefault(batch, List.of()));
  }

  /** Returns the number of the current run. */
  int current(UUID batch) {
    return Math.max(0, of(batch).size() - 1);
  }

  /** Returns the batches whose current run has not ended. */
  List<UUID> running() {
    return runs.entrySet().stream()
        .filter(entry -> entry.getValue().getLast().outcome() == null)
        .map(Map.Entry::getKey)
        .toList();
  }

  void end(RunDecision decision, Instant now) {
    BatchRun run = of(decision.batch()).getLast();
    replaceLast(
        decision.batch(),
        new BatchRun(
            run.number(),
            run.startedAt(),
            now,
            decision.outcome(),
            decision.failure(),
            decision.giveUpReason(),
            decision.delay(),
            decision.delay() == null ? null : DueTimes.after(now, decision.delay())));
  }

  /** Returns a number that changes whenever the current run has to be decided anew. */
  int version(UUID batch) {
    return versions.getOrDefault(batch, 0);
  }

  /** A task of the current run was revived or resolved. */
  void reopen(UUID batch) {
    versions.merge(batch, 1, Integer::sum);
    List<BatchRun> all = of(batch);
    if (!all.isEmpty()) {
      BatchRun run = all.getLast();
      replaceLast(
          batch, new BatchRun(run.number(), run.startedAt(), null, null, null, null, null, null));
    }
  }

  void setNextRunAt(UUID batch, @Nullable Instant instant) {
    replaceLast(batch, withNextRunAt(of(batch).getLast(), instant));
  }

  private static BatchRun withNextRunAt(BatchRun run, @Nullable Instant instant) {
    return new BatchRun(
        run.number(),
        run.startedAt(),
        run.endedAt(),
        run.outcome(),
        run.failure(),
        run.giveUpReason(),
        run.delay(),
        instant);
  }

  private void replaceLast(UUID batch, BatchRun run) {
    List<BatchRun> all = runs.getOrDefault(batch, new ArrayList<>());
    all.set(all.size() - 1, run);
  }

  List<DueRun> due(Instant now, int limit) {
    return runs.entrySet().stream()
        .filter(entry -> StoredTask.isReached(entry.getValue().getLast().nextRunAt(), now))
        .sorted(Comparator.comparing(entry -> entry.getValue().getLast().nextRunAt()))
        .limit(limit)
        .map(entry -> new DueRun(entry.getKey(), entry.getValue().getLast().number() + 1))
        .toList();
  }

  /** True when a run ended and nothing follows it, or when it is not the current one. */
  boolean isSettled(UUID batch, int run) {
    List<BatchRun> all = of(batch);
    return all.isEmpty() || run < all.size() - 1 || all.getLast().isFinal();
  }

  boolean isWaiting(UUID batch) {
    List<BatchRun> all = of(batch);
    return !all.isEmpty() && all.getLast().nextRunAt() != null;
  }

  boolean hasNext(UUID batch) {
    List<BatchRun> all = of(batch);
    return !all.isEmpty() && (all.getLast().outcome() == null || all.getLast().nextRunAt() != null);
  }

  void delete(UUID batch) {
    runs.remove(batch);
    versions.remove(batch);
  }
}
