// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sql;

import dev.perdure.engine.store.Backlog;
import dev.perdure.engine.store.Statistics;
import dev.perdure.engine.task.TaskState;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Adds up the rows of {@code backlog}, {@code ended}, {@code strategies} and {@code delays}. */
public final class Tally {

  private final Map<TaskState, Long> byState = new EnumMap<>(TaskState.class);
  private final Map<String, Long> pendingByKind = new HashMap<>();
  private final Map<String, Long> retriesByKind = new HashMap<>();
  private final Map<String, Long> retriesByStrategy = new HashMap<>();
  private long due;
  private long waiting;
  private long exhausted;
  private long retried;
  private long retriedWell;
  private long delays;
  private long delaysTotal;

  public void live(ResultSet rows) throws SQLException {
    while (rows.next()) {
      TaskState state = count(rows);
      if (state.isClaimable()) {
        pendingByKind.merge(rows.getString("kind"), rows.getLong("tasks"), Long::sum);
      }
      if (state == TaskState.RETRY_PENDING) {
        retriesByKind.merge(rows.getString("kind"), rows.getLong("tasks"), Long::sum);
      }
      due += rows.getLong("due");
      waiting += rows.getLong("waiting");
    }
  }

  public void ended(ResultSet rows) throws SQLException {
    while (rows.next()) {
      TaskState state = count(rows);
      exhausted += rows.getLong("exhausted");
      retriedWell += state == TaskState.SUCCESS ? rows.getLong("retried") : 0;
    }
  }

  private TaskState count(ResultSet rows) throws SQLException {
    TaskState state = TaskState.of(rows.getString("state")).orElseThrow();
    byState.merge(state, rows.getLong("tasks"), Long::sum);
    retried += rows.getLong("retried");
    return state;
  }

  public void delays(ResultSet rows) throws SQLException {
    while (rows.next()) {
      delays += rows.getLong("delays");
      delaysTotal += rows.getLong("delays_ms");
    }
  }

  public void strategies(ResultSet rows) throws SQLException {
    while (rows.next()) {
      retriesByStrategy.merge(rows.getString("strategy"), rows.getLong("tasks"), Long::sum);
    }
  }

  public Backlog backlog() {
    return new Backlog(byState, due, waiting, pendingByKind);
  }

  public Statistics statistics() {
    return new Statistics(
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
    return retried == 0 ? null : quotient(100 * retriedWell, retried, 2);
  }

  private @Nullable Duration averageDelay() {
    return delays == 0 ? null : Duration.ofMillis(quotient(delaysTotal, delays, 0).longValue());
  }

  private static BigDecimal quotient(long sum, long count, int decimals) {
    return BigDecimal.valueOf(sum)
        .divide(BigDecimal.valueOf(count), decimals, RoundingMode.HALF_UP);
  }
}
