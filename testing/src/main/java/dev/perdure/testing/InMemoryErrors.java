// SPDX-License-Identifier: Apache-2.0
package dev.perdure.testing;

import static java.util.Objects.requireNonNull;

import dev.perdure.engine.spi.ErrorTable;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.AttemptDetails;
import dev.perdure.engine.task.LastResult;
import dev.perdure.engine.task.Shards;
import dev.perdure.engine.task.TaskState;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The failed tasks of the in-memory store, by their errors. */
final class InMemoryErrors implements ErrorTable<RuntimeException> {

  private final TaskTable tasks;

  InMemoryErrors(TaskTable tasks) {
    this.tasks = tasks;
  }

  @Override
  public List<ErrorPair> pairs(int shard, int limit) {
    Map<List<String>, ErrorPair> pairs = new LinkedHashMap<>();
    failed(shard)
        .filter(task -> errorOf(task) != null)
        .map(
            task ->
                new ErrorPair(
                    requireNonNull(errorOf(task)), task.kind(), failedAt(task), task.id()))
        .forEach(pair -> pairs.putIfAbsent(List.of(pair.error(), pair.kind()), pair));
    return pairs.values().stream()
        .sorted(Comparator.comparing(ErrorPair::error).thenComparing(ErrorPair::kind))
        .limit(limit)
        .toList();
  }

  @Override
  public List<ErrorCount> counts(int shard, List<ErrorPair> pairs, ErrorTimes times, int limit) {
    return pairs.stream()
        .flatMap(
            pair ->
                failed(shard)
                    .filter(
                        task ->
                            pair.error().equals(errorOf(task)) && pair.kind().equals(task.kind()))
                    .filter(since(times))
                    .limit(limit))
        .map(task -> count(task, times))
        .toList();
  }

  @Override
  public List<ErrorCount> withoutError(int shard, ErrorTimes times, int limit) {
    return failed(shard)
        .filter(task -> errorOf(task) == null)
        .filter(since(times))
        .limit(limit)
        .map(task -> count(task, times))
        .toList();
  }

  @Override
  public List<ErrorCount> retries(int shard, ErrorTimes times, int limit) {
    return tasks
        .newestFirst()
        .filter(task -> Shards.of(task.id()) == shard && task.state() == TaskState.RETRY_PENDING)
        .sorted(StoredTask.DUE_ORDER)
        .limit(limit)
        .map(task -> count(task, times))
        .toList();
  }

  @Override
  public List<Attempt> lastAttempts(int shard, List<UUID> ids) {
    return ids.stream()
        .map(tasks::attempts)
        .filter(attempts -> !attempts.isEmpty())
        .map(List::getLast)
        .map(InMemoryErrors::withoutLongTexts)
        .toList();
  }

  private static Attempt withoutLongTexts(Attempt attempt) {
    AttemptDetails all = attempt.details();
    AttemptDetails details =
        new AttemptDetails(
            all.outcome(),
            all.failureKind(),
            all.status(),
            all.code(),
            all.message(),
            all.exceptionTypes(),
            null,
            all.delay(),
            null);
    return new Attempt(
        attempt.task(),
        attempt.epoch(),
        attempt.number(),
        attempt.worker(),
        attempt.startedAt(),
        attempt.endedAt(),
        details,
        attempt.nextAttemptAt());
  }

  /** The failed tasks of the shard, the last one first. */
  private Stream<StoredTask> failed(int shard) {
    return tasks
        .newestFirst()
        .filter(task -> Shards.of(task.id()) == shard && task.state() == TaskState.FAILURE)
        .sorted(Comparator.comparing(InMemoryErrors::failedAt).reversed());
  }

  private static Predicate<StoredTask> since(ErrorTimes times) {
    return task -> !failedAt(task).isBefore(times.from());
  }

  private static ErrorCount count(StoredTask task, ErrorTimes times) {
    LastResult result = task.task().lastResult();
    Instant at = failedAt(task);
    long after = at.toEpochMilli() - times.from().toEpochMilli();
    return new ErrorCount(
        result.error(),
        task.kind(),
        result.error() == null ? result.failureKind() : null,
        result.giveUpReason() == null ? null : result.giveUpReason().text(),
        (int) Math.floorDiv(after, times.stepMillis()),
        1,
        at,
        at,
        task.id());
  }

  private static @Nullable String errorOf(StoredTask task) {
    return task.task().lastResult().error();
  }

  /** When it failed; a waiting retry has not changed since, or only by an operator. */
  private static Instant failedAt(StoredTask task) {
    Instant ended = task.task().times().endedAt();
    return ended == null ? task.task().times().updatedAt() : ended;
  }
}
