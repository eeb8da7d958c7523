// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

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
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Adds up what the tallies say. */
final class Counts {

  private static final int PERCENT_DECIMALS = 2;

  private final Session session;
  private final long now;
  private final Map<TaskState, Long> byState = new EnumMap<>(TaskState.class);
  private final Map<String, Long> pendingByKind = new HashMap<>();
  private final Map<String, Long> retriesByStrategy = new HashMap<>();
  private long due;
  private long waiting;
  private long exhausted;
  private long retried;
  private long retriedAndDone;

  Counts(Session session, long now) {
    this.session = session;
    this.now = now;
  }

  Statistics statistics() throws SQLException {
    session.sql("task_state.tally").number("now", now).rows(this::add);
    session
        .sql("task.strategies")
        .rows(row -> retriesByStrategy.put(row.getString("strategy"), row.getLong("tasks")));
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

  private TaskState add(ResultSet row) throws SQLException {
    TaskState state = SqliteColumns.ROWS.state(row);
    long tasks = row.getLong("tasks");
    byState.merge(state, tasks, Long::sum);
    exhausted += row.getLong("exhausted");
    retried += row.getLong("retried");
    if (state == TaskState.SUCCESS) {
      retriedAndDone += row.getLong("retried");
    }
    if (state.isClaimable()) {
      due += row.getLong("due");
      pendingByKind.merge(row.getString("kind"), tasks, Long::sum);
    }
    if (state == TaskState.RETRY_PENDING) {
      waiting += row.getLong("waiting");
    }
    return state;
  }

  private @Nullable BigDecimal successRate() {
    return retried == 0
        ? null
        : BigDecimal.valueOf(100 * retriedAndDone)
            .divide(BigDecimal.valueOf(retried), PERCENT_DECIMALS, RoundingMode.HALF_UP);
  }

  private @Nullable Duration averageDelay() throws SQLException {
    return session.sql("attempt.delays").row(Counts::average).flatMap(known -> known).orElse(null);
  }

  private static Optional<Duration> average(ResultSet row) throws SQLException {
    long delays = row.getLong("delays");
    return delays == 0
        ? Optional.empty()
        : Optional.of(Duration.ofMillis(Math.round((double) row.getLong("total_ms") / delays)));
  }
}
