// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sql;

import dev.perdure.engine.query.Backlog;
import dev.perdure.engine.query.Census;
import dev.perdure.engine.query.Census.DueTasks;
import dev.perdure.engine.query.StoreStatistics;
import dev.perdure.engine.task.DisplayStatus;
import dev.perdure.engine.task.HoldReason;
import dev.perdure.engine.task.TaskState;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sums the rows of the statements behind {@code backlog()} and {@code statistics()} over all
 * shards.
 */
public final class StatisticsBuilder {

  private final Map<TaskState, Long> byState = new EnumMap<>(TaskState.class);
  private final Map<DisplayStatus, Long> byStatus = new EnumMap<>(DisplayStatus.class);
  private final Map<String, Long> pendingByKind = new HashMap<>();
  private final Map<String, Long> retriesByKind = new HashMap<>();
  private final Map<String, Long> retriesByStrategy = new HashMap<>();
  private final Map<List<@Nullable String>, DueTasks> dueTasks = new HashMap<>();
  private final Map<String, Long> countedRetries = new HashMap<>();
  private @Nullable Instant nextRetryAt;
  private long parked;
  private long mostInShard;
  private long due;
  private long waiting;
  private long exhausted;
  private long retried;
  private long retriedAndSucceeded;
  private long delayCount;
  private long delayTotalMs;

  public void addLive(ResultSet rows) throws SQLException {
    long counted = 0;
    while (rows.next()) {
      TaskState state = count(rows);
      counted += rows.getLong("tasks");
      addDue(rows);
      if (HoldReason.ofBits(rows.getInt("hold")).contains(HoldReason.PARKED)) {
        parked += rows.getLong("tasks");
      }
      byStatus.merge(
          DisplayStatus.of(state, HoldReason.ofBits(rows.getInt("hold"))),
          rows.getLong("tasks"),
          Long::sum);
      if (state.isClaimable()) {
        pendingByKind.merge(rows.getString("kind"), rows.getLong("tasks"), Long::sum);
      }
      if (state == TaskState.RETRY_PENDING) {
        retriesByKind.merge(rows.getString("kind"), rows.getLong("tasks"), Long::sum);
      }
      due += rows.getLong("due");
      waiting += rows.getLong("retries_waiting");
    }
    mostInShard = Math.max(mostInShard, counted);
  }

  private void addDue(ResultSet rows) throws SQLException {
    long count = rows.getLong("due");
    if (count > 0) {
      String kind = rows.getString("kind");
      String queue = rows.getString("queue");
      Instant oldest = Instant.ofEpochMilli(rows.getLong("oldest_due_ms"));
      dueTasks.merge(
          Arrays.asList(kind, queue),
          new DueTasks(kind, queue, count, oldest),
          (one, other) ->
              new DueTasks(
                  kind,
                  queue,
                  one.count() + other.count(),
                  one.oldestDueAt().isBefore(other.oldestDueAt())
                      ? one.oldestDueAt()
                      : other.oldestDueAt()));
    }
  }

  /** Adds the retries of one kind, counted from their own index. */
  public void addRetries(String kind, long retries) {
    countedRetries.merge(kind, retries, Long::sum);
  }

  /** The earliest of several. */
  public void addNextRetry(Instant dueAt) {
    nextRetryAt = nextRetryAt == null || dueAt.isBefore(nextRetryAt) ? dueAt : nextRetryAt;
  }

  public Census census(Instant now) {
    return new Census(
        now,
        backlog(),
        List.copyOf(dueTasks.values()),
        parked,
        countedRetries,
        nextRetryAt,
        mostInShard >= Census.MAX_COUNTED);
  }

  public void addEnded(ResultSet rows) throws SQLException {
    while (rows.next()) {
      TaskState state = count(rows);
      exhausted += rows.getLong("exhausted");
      retriedAndSucceeded += state == TaskState.SUCCESS ? rows.getLong("retried") : 0;
    }
  }

  private TaskState count(ResultSet rows) throws SQLException {
    TaskState state = TaskState.of(rows.getString("state")).orElseThrow();
    byState.merge(state, rows.getLong("tasks"), Long::sum);
    retried += rows.getLong("retried");
    return state;
  }

  public void addDelays(ResultSet rows) throws SQLException {
    while (rows.next()) {
      delayCount += rows.getLong("delay_count");
      delayTotalMs += rows.getLong("delay_total_ms");
    }
  }

  public void addStrategies(ResultSet rows) throws SQLException {
    while (rows.next()) {
      retriesByStrategy.merge(rows.getString("strategy"), rows.getLong("tasks"), Long::sum);
    }
  }

  public Backlog backlog() {
    return new Backlog(byStatus, due, waiting, pendingByKind);
  }

  public StoreStatistics statistics() {
    return new StoreStatistics(
        byState,
        due,
        waiting,
        exhausted,
        pendingByKind,
        retriesByKind,
        retriesByStrategy,
        successRate(),
        averageDelay());
  }

  private @Nullable BigDecimal successRate() {
    return retried == 0 ? null : quotient(100 * retriedAndSucceeded, retried, 2);
  }

  private @Nullable Duration averageDelay() {
    return delayCount == 0
        ? null
        : Duration.ofMillis(quotient(delayTotalMs, delayCount, 0).longValue());
  }

  private static BigDecimal quotient(long sum, long count, int decimals) {
    return BigDecimal.valueOf(sum)
        .divide(BigDecimal.valueOf(count), decimals, RoundingMode.HALF_UP);
  }
}
