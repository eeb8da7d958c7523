// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sql;

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

/** Adds up the rows of {@code tally}, {@code strategies} and {@code delays}. */
public final class Tally {

  private final Map<TaskState, Long> byState = new EnumMap<>(TaskState.class);
  private final Map<String, Long> pendingByKind = new HashMap<>();
  private final Map<String, Long> retriesByStrategy = new HashMap<>();
  private long due;
  private long waiting;
  private long exhausted;
  private long retried;
  private long retriedWell;
  private long delays;
  private long delaysTotal;

  public void states(ResultSet rows) throws SQLException {
    while (rows.next()) {
      TaskState state = TaskState.of(rows.getString("state")).orElseThrow();
      long tasks = rows.getLong("tasks");
      byState.merge(state, tasks, Long::sum);
      if (state.isClaimable()) {
        pendingByKind.merge(rows.getString("kind"), tasks, Long::sum);
      }
      due += rows.getLong("due");
      waiting += rows.getLong("waiting");
      exhausted += rows.getLong("exhausted");
      retried += rows.getLong("retried");
      retriedWell += state == TaskState.SUCCESS ? rows.getLong("retried") : 0;
    }
  }

  public void strategies(ResultSet rows) throws SQLException {
    while (rows.next()) {
      retriesByStrategy.merge(rows.getString("strategy"), rows.getLong("tasks"), Long::sum);
    }
  }

  public void delays(ResultSet rows) throws SQLException {
    while (rows.next()) {
      delays += rows.getLong("delays");
      delaysTotal += rows.getLong("total_ms");
    }
  }

  public Statistics statistics() {
    return new Statistics(
        byState,
        due,
        waiting,
        exhausted,
        pendingByKind,
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
