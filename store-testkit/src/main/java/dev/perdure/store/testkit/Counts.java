// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import dev.perdure.engine.store.Backlog;
import dev.perdure.engine.store.Statistics;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.AttemptOutcome;
import dev.perdure.engine.task.EndReason;
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

/** Counts the model's tasks. */
final class Counts {

  private final ModelDatabase database;
  private final List<Row> rows;
  private final Instant now;

  Counts(ModelDatabase database) {
    this.database = database;
    this.rows = database.tasks.newestFirst().toList();
    this.now = database.now();
  }

  Backlog backlog() {
    return new Backlog(
        rows.stream()
            .filter(row -> row.state().isLive())
            .collect(groupingBy(Row::state, counting())),
        count(row -> row.isClaimable() && row.isDue(now)),
        count(row -> isRetry(row) && !row.isDue(now)),
        rows.stream()
            .filter(row -> row.state().isClaimable())
            .collect(groupingBy(Row::kind, counting())));
  }

  Statistics statistics() {
    Backlog backlog = backlog();
    return new Statistics(
        rows.stream().collect(groupingBy(Row::state, counting())),
        backlog.due(),
        backlog.waiting(),
        count(row -> row.task().ending().giveUpReason() == EndReason.EXHAUSTED),
        backlog.pendingByKind(),
        rows.stream().filter(Counts::isRetry).collect(groupingBy(Row::kind, counting())),
        rows.stream()
            .filter(Counts::isRetry)
            .map(row -> row.definition().strategy())
            .filter(Objects::nonNull)
            .collect(groupingBy(strategy -> strategy, counting())),
        successRate(),
        averageDelay());
  }

  private long count(Predicate<Row> wanted) {
    return rows.stream().filter(wanted).count();
  }

  private static boolean isRetry(Row row) {
    return row.state() == TaskState.RETRY_PENDING;
  }

  private @Nullable BigDecimal successRate() {
    long retried = count(Counts::hadRetry);
    long succeeded = count(row -> hadRetry(row) && row.state() == TaskState.SUCCESS);
    return retried == 0
        ? null
        : BigDecimal.valueOf(100 * succeeded)
            .divide(BigDecimal.valueOf(retried), 2, RoundingMode.HALF_UP);
  }

  private static boolean hadRetry(Row row) {
    return row.task().counting().attempt() > 0;
  }

  private @Nullable Duration averageDelay() {
    OptionalDouble average =
        rows.stream()
            .flatMap(row -> database.tasks.attempts(row.id()).stream())
            .filter(attempt -> attempt.note().outcome() == AttemptOutcome.FAILURE)
            .map(Attempt::delay)
            .filter(Objects::nonNull)
            .mapToLong(Duration::toMillis)
            .average();
    return average.isEmpty() ? null : Duration.ofMillis(Math.round(average.getAsDouble()));
  }
}
