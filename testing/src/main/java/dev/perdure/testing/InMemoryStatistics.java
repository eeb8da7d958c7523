// SPDX-License-Identifier: Apache-2.0
package dev.perdure.testing;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import dev.perdure.engine.query.Backlog;
import dev.perdure.engine.query.StoreStatistics;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.AttemptOutcome;
import dev.perdure.engine.task.TaskGiveUpReason;
import dev.perdure.engine.task.TaskState;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Counts the tasks of the in-memory store. */
final class InMemoryStatistics {

  private final InMemoryDatabase database;
  private final List<StoredTask> storedTasks;
  private final Instant now;

  InMemoryStatistics(InMemoryDatabase database) {
    this.database = database;
    this.storedTasks = database.tasks.newestFirst().toList();
    this.now = database.now();
  }

  Backlog backlog() {
    return new Backlog(
        storedTasks.stream()
            .filter(storedTask -> storedTask.state().isLive())
            .collect(groupingBy(storedTask -> storedTask.task().status(), counting())),
        count(storedTask -> storedTask.isClaimable() && storedTask.isDue(now)),
        count(storedTask -> isRetry(storedTask) && !storedTask.isDue(now)),
        storedTasks.stream()
            .filter(storedTask -> storedTask.state().isClaimable())
            .collect(groupingBy(StoredTask::kind, counting())));
  }

  StoreStatistics statistics() {
    Backlog backlog = backlog();
    return new StoreStatistics(
        storedTasks.stream().collect(groupingBy(StoredTask::state, counting())),
        backlog.due(),
        backlog.retriesPending(),
        count(
            storedTask ->
                storedTask.task().lastResult().giveUpReason() == TaskGiveUpReason.EXHAUSTED),
        backlog.pendingByKind(),
        storedTasks.stream()
            .filter(InMemoryStatistics::isRetry)
            .collect(groupingBy(StoredTask::kind, counting())),
        storedTasks.stream()
            .filter(InMemoryStatistics::isRetry)
            .map(storedTask -> storedTask.definition().strategy())
            .filter(Objects::nonNull)
            .collect(groupingBy(strategy -> strategy, counting())),
        successRate(),
        averageDelay());
  }

  private long count(Predicate<StoredTask> condition) {
    return storedTasks.stream().filter(condition).count();
  }

  private static boolean isRetry(StoredTask storedTask) {
    return storedTask.state() == TaskState.RETRY_PENDING;
  }

  private @Nullable BigDecimal successRate() {
    long retried = count(InMemoryStatistics::hadRetry);
    long succeeded =
        count(storedTask -> hadRetry(storedTask) && storedTask.state() == TaskState.SUCCESS);
    return retried == 0
        ? null
        : BigDecimal.valueOf(100 * succeeded)
            .divide(BigDecimal.valueOf(retried), 2, RoundingMode.HALF_UP);
  }

  private static boolean hadRetry(StoredTask storedTask) {
    return storedTask.task().retryCounters().attempt() > 0;
  }

  private @Nullable Duration averageDelay() {
    OptionalDouble average =
        storedTasks.stream()
            .flatMap(storedTask -> database.tasks.attempts(storedTask.id()).stream())
            .filter(attempt -> attempt.details().outcome() == AttemptOutcome.FAILURE)
            .map(Attempt::delay)
            .filter(Objects::nonNull)
            .mapToLong(Duration::toMillis)
            .average();
    return average.isEmpty() ? null : Duration.ofMillis(Math.round(average.getAsDouble()));
  }
}
