// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sql;

import dev.perdure.engine.query.BatchSummary;
import dev.perdure.engine.query.ParentTask;
import dev.perdure.engine.task.BatchDefinition;
import dev.perdure.engine.task.BatchOutcome;
import dev.perdure.engine.task.BatchRun;
import dev.perdure.engine.task.BatchRun.RunFailure;
import dev.perdure.engine.task.DependencyOutcome;
import dev.perdure.engine.task.DisplayStatus;
import dev.perdure.engine.task.TaskGiveUpReason;
import dev.perdure.engine.task.TaskState;
import dev.perdure.store.jdbc.sql.TaskRowMapper.ColumnReader;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Maps rows to batches and sums up the statistics of their tasks. */
public final class BatchRowMapper {

  private final ColumnReader columnReader;

  public BatchRowMapper(ColumnReader columnReader) {
    this.columnReader = columnReader;
  }

  /** The row of a batch. */
  public record BatchRow(
      UUID id,
      BatchDefinition definition,
      int run,
      Instant createdAt,
      @Nullable Instant stoppedAt,
      int size) {

    /** The batch with the statistics of its tasks. */
    private BatchSummary summary(Statistics statistics, List<BatchRun> runs, int most) {
      boolean capped = size > most && statistics.tasks() >= most;
      return new BatchSummary(
          id,
          definition,
          run,
          runs,
          createdAt,
          statistics.updatedAt == null ? createdAt : statistics.updatedAt,
          capped || statistics.hasLive() ? null : statistics.endedAt,
          stoppedAt,
          statistics.counts,
          statistics.success,
          statistics.failures,
          statistics.withExpected == statistics.tasks() ? (Long) statistics.expected : null,
          statistics.kinds.stream().limit(BatchSummary.MAX_KINDS).toList(),
          capped);
    }
  }

  /** Sums up the rows of one batch, which come by status and kind. */
  private static final class Statistics {

    private final Map<DisplayStatus, Long> counts = new EnumMap<>(DisplayStatus.class);
    private final SortedSet<String> kinds = new TreeSet<>();
    private long success;
    private long failures;
    private long expected;
    private long withExpected;
    private @Nullable Instant updatedAt;
    private @Nullable Instant endedAt;

    void add(ResultSet row, ColumnReader columnReader) throws SQLException {
      DisplayStatus status = DisplayStatus.of(row.getString("status")).orElseThrow();
      counts.merge(status, row.getLong("tasks"), Long::sum);
      kinds.add(row.getString("kind"));
      success = plus(success, row.getLong("success"));
      failures = plus(failures, row.getLong("failures"));
      expected = plus(expected, row.getLong("expected"));
      withExpected += row.getLong("with_expected");
      updatedAt = later(updatedAt, columnReader.instant(row, "updated_at"));
      endedAt = later(endedAt, columnReader.instant(row, "ended_at"));
    }

    long tasks() {
      return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    boolean hasLive() {
      return counts.keySet().stream()
          .flatMap(status -> status.states().stream())
          .anyMatch(TaskState::isLive);
    }

    private static long plus(long one, long other) {
      long sum = one + other;
      return sum < 0 ? Long.MAX_VALUE : sum;
    }

    private static @Nullable Instant later(@Nullable Instant one, @Nullable Instant other) {
      if (one == null || other == null) {
        return one == null ? other : one;
      }
      return one.isBefore(other) ? other : one;
    }
  }

  public BatchRow batch(ResultSet row) throws SQLException {
    Instant created = columnReader.instant(row, "created_at");
    if (created == null) {
      throw new SQLException("the column created_at is null");
    }
    return new BatchRow(
        columnReader.uuid(row, "id"),
        new BatchDefinition(
            row.getString("name"),
            row.getString("context"),
            row.getString("policy"),
            row.getString("policy_as_given"),
            row.getString("actions"),
            row.getString("follow_ups")),
        row.getInt("run"),
        created,
        columnReader.instant(row, "stopped_at"),
        row.getInt("size"));
  }

  /** A row of {@code batch.scan}. */
  public BatchScan.Entry entry(ResultSet row) throws SQLException {
    return new BatchScan.Entry(
        columnReader.uuid(row, "id"),
        Objects.requireNonNull(columnReader.instant(row, "created_at")),
        row.getLong("size"));
  }

  /** Reads all runs, by batch and in the order of their numbers. */
  public Map<UUID, List<BatchRun>> runs(ResultSet rows) throws SQLException {
    Map<UUID, List<BatchRun>> runs = new HashMap<>();
    while (rows.next()) {
      runs.computeIfAbsent(columnReader.uuid(rows, "batch"), id -> new ArrayList<>())
          .add(run(rows));
    }
    return runs;
  }

  private BatchRun run(ResultSet row) throws SQLException {
    String outcome = row.getString("outcome");
    String reason = row.getString("give_up_reason");
    long delay = row.getLong("delay_ms");
    boolean noDelay = row.wasNull();
    return new BatchRun(
        row.getInt("run"),
        Objects.requireNonNull(columnReader.instant(row, "started_at")),
        columnReader.instant(row, "ended_at"),
        outcome == null ? null : BatchOutcome.of(outcome).orElseThrow(),
        outcome == null || row.getObject("failed_task") == null
            ? null
            : new RunFailure(
                columnReader.uuid(row, "failed_task"),
                row.getString("failure_kind"),
                row.getString("failure_reason")),
        outcome == null || reason == null ? null : TaskGiveUpReason.of(reason).orElseThrow(),
        outcome == null || noDelay ? null : Duration.ofMillis(delay),
        columnReader.instant(row, "next_at"));
  }

  public ParentTask parent(ResultSet row) throws SQLException {
    return new ParentTask(
        columnReader.uuid(row, "id"),
        row.getString("local_id"),
        row.getString("name"),
        row.getString("kind"),
        DisplayStatus.of(row.getString("status")).orElseThrow(),
        row.getBoolean("required"),
        DependencyOutcome.ofCode(row.getInt("outcome")),
        row.getString("result"),
        row.getBoolean("result_omitted"));
  }

  /** Adds the statistics to the batches, and leaves those out that have no tasks any more. */
  public List<BatchSummary> summaries(
      List<BatchRow> batches, Map<UUID, List<BatchRun>> runs, int most, ResultSet rows)
      throws SQLException {
    Map<UUID, Statistics> byBatch = new HashMap<>();
    while (rows.next()) {
      byBatch
          .computeIfAbsent(columnReader.uuid(rows, "batch"), id -> new Statistics())
          .add(rows, columnReader);
    }
    return batches.stream()
        .filter(batch -> byBatch.containsKey(batch.id()))
        .map(
            batch ->
                batch.summary(
                    byBatch.getOrDefault(batch.id(), new Statistics()),
                    runs.getOrDefault(batch.id(), List.of()),
                    most))
        .toList();
  }
}
