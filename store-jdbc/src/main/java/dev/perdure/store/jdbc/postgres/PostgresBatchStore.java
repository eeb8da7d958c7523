// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.engine.query.BatchFilter;
import dev.perdure.engine.query.BatchPage;
import dev.perdure.engine.query.BatchSummary;
import dev.perdure.engine.query.PageRequest;
import dev.perdure.engine.query.ParentTask;
import dev.perdure.engine.query.TaskCount;
import dev.perdure.engine.spi.BatchStore;
import dev.perdure.engine.spi.CompletedRun;
import dev.perdure.engine.spi.RunDecision;
import dev.perdure.engine.task.BatchDefinition;
import dev.perdure.engine.task.BatchRun;
import dev.perdure.engine.task.Dependency;
import dev.perdure.engine.task.IdOrder;
import dev.perdure.engine.task.IdText;
import dev.perdure.engine.task.Shards;
import dev.perdure.store.jdbc.sql.BatchRowMapper;
import dev.perdure.store.jdbc.sql.BatchRowMapper.BatchRow;
import dev.perdure.store.jdbc.sql.BatchScan;
import dev.perdure.store.jdbc.sql.NamedParameterStatement;
import dev.perdure.store.jdbc.sql.RunRowMapper;
import dev.perdure.store.jdbc.sql.RunRowMapper.CompleteRow;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads and stops batches. Lists and counts go shard by shard. */
final class PostgresBatchStore implements BatchStore {

  private static final UUID BEFORE_ALL_IDS = new UUID(0, 0);

  private final PostgresExecutor executor;
  private final PostgresColumnReader columns = new PostgresColumnReader();
  private final BatchRowMapper rowMapper = new BatchRowMapper(columns);
  private final PostgresRuns runs;

  PostgresBatchStore(PostgresExecutor executor) {
    this.executor = executor;
    this.runs = new PostgresRuns(executor);
  }

  @Override
  public boolean markStopped(UUID batch) {
    return executor.runIdempotent(
        "stop",
        (connection, mayHaveCommitted) ->
            PostgresExecutor.inTransaction(connection, (same, again) -> stop(same, batch)));
  }

  private boolean stop(Connection connection, UUID batch) throws SQLException {
    boolean found = updateBatch(connection, "batch.stop", batch);
    try (NamedParameterStatement statement = statement(connection, "run.stop", batch)) {
      PostgresParameters.uuid(statement, "batch", batch);
      statement.update();
    }
    return found;
  }

  private boolean updateBatch(Connection connection, String name, UUID batch) throws SQLException {
    try (NamedParameterStatement statement = statement(connection, name, batch)) {
      PostgresParameters.instant(statement, "now", executor.settings().now());
      PostgresParameters.uuid(statement, "id", batch);
      return statement.update() == 1;
    }
  }

  @Override
  public List<CompletedRun> completedRuns(int limit) {
    return executor.runIdempotent(
        "find complete runs",
        (connection, mayHaveCommitted) -> {
          List<CompletedRun> found = new ArrayList<>();
          for (int shard = 0; shard < executor.settings().shards(); shard++) {
            for (CompleteRow run : runs.complete(connection, shard, limit - found.size())) {
              Optional<BatchRow> batch = row(connection, run.batch());
              if (batch.isPresent() && batch.get().run() == run.run()) {
                CompletedRun read =
                    runs.read(
                        connection, batch.get(), run.version(), runsOf(connection, batch.get()));
                if (read != null) {
                  found.add(read);
                }
              }
            }
          }
          return found;
        });
  }

  private List<BatchRun> runsOf(Connection connection, BatchRow batch) throws SQLException {
    return runsOf(connection, Shards.of(batch.id()), List.of(batch))
        .getOrDefault(batch.id(), List.of());
  }

  private Map<UUID, List<BatchRun>> runsOf(Connection connection, int shard, List<BatchRow> batches)
      throws SQLException {
    try (NamedParameterStatement statement = executor.statement(connection, "run.list")) {
      statement.integer("shard", shard);
      PostgresParameters.array(statement, "batches", "uuid", batches, BatchRow::id);
      return rowMapper.runs(statement.query());
    }
  }

  @Override
  public boolean endRun(RunDecision decision) {
    return executor.runIdempotent(
        "end a run",
        (connection, mayHaveCommitted) ->
            PostgresExecutor.inTransaction(connection, (same, again) -> runs.end(same, decision)));
  }

  @Override
  public List<DueRun> dueRuns(int limit) {
    return executor.runIdempotent(
        "find due runs",
        (connection, mayHaveCommitted) -> {
          List<DueRun> found = new ArrayList<>();
          for (int shard = 0; shard < executor.settings().shards(); shard++) {
            found.addAll(runs.due(connection, shard, limit - found.size()));
          }
          return found;
        });
  }

  @Override
  public int startRun(DueRun run, Supplier<UUID> ids) {
    return executor.runIdempotent(
        "start a run",
        (connection, mayHaveCommitted) -> {
          Optional<BatchRow> batch = row(connection, run.batch());
          return batch.isEmpty()
              ? 0
              : PostgresExecutor.inTransaction(
                  connection, (same, again) -> runs.start(same, batch.get(), run, ids));
        });
  }

  @Override
  public boolean runAgain(DueRun run) {
    return executor.runIdempotent(
        "run again",
        (connection, mayHaveCommitted) ->
            PostgresExecutor.inTransaction(connection, (same, again) -> runAgain(same, run)));
  }

  private boolean runAgain(Connection connection, DueRun run) throws SQLException {
    UUID batch = run.batch();
    PostgresRuns.LockedBatch locked = runs.lockBatch(connection, batch);
    if (locked == null || locked.run() != run.number() - 1) {
      return locked != null && locked.run() == run.number(); // It has started already.
    }
    boolean due = runs.runAgain(connection, batch, locked.run());
    if (due) {
      updateBatch(connection, "batch.unstop", batch);
    }
    return due;
  }

  @Override
  public Optional<Integer> currentRun(UUID batch) {
    return executor.runIdempotent(
        "find a batch",
        (connection, mayHaveCommitted) -> row(connection, batch).map(BatchRow::run));
  }

  @Override
  public Optional<UUID> firstFailed(UUID batch, int run) {
    return executor.runIdempotent(
        "find a failed task",
        (connection, mayHaveCommitted) -> {
          try (NamedParameterStatement statement = statement(connection, "run.tasks", batch)) {
            PostgresParameters.uuid(statement, "batch", batch);
            ResultSet row = statement.integer("run", run).query();
            row.next();
            return Optional.ofNullable(row.getObject("failed_task", UUID.class));
          }
        });
  }

  @Override
  public Optional<BatchSummary> find(UUID batch) {
    return executor.runIdempotent(
        "find a batch",
        (connection, mayHaveCommitted) -> {
          Optional<BatchRow> row = row(connection, batch);
          return row.isEmpty()
              ? Optional.empty()
              : summaries(connection, List.of(row.get()), Integer.MAX_VALUE).stream().findFirst();
        });
  }

  @Override
  public Optional<BatchDefinition> definition(UUID batch) {
    return executor.runIdempotent(
        "find a batch",
        (connection, mayHaveCommitted) -> row(connection, batch).map(BatchRow::definition));
  }

  private Optional<BatchRow> row(Connection connection, UUID batch) throws SQLException {
    try (NamedParameterStatement statement = statement(connection, "batch.find", batch)) {
      PostgresParameters.uuid(statement, "id", batch);
      ResultSet row = statement.query();
      return row.next() ? Optional.of(rowMapper.batch(row)) : Optional.empty();
    }
  }

  private List<BatchSummary> summaries(Connection connection, List<BatchRow> batches, int most)
      throws SQLException {
    Map<Integer, List<BatchRow>> byShard =
        batches.stream().collect(Collectors.groupingBy(batch -> Shards.of(batch.id())));
    List<BatchSummary> summaries = new ArrayList<>();
    for (Map.Entry<Integer, List<BatchRow>> some : byShard.entrySet()) {
      try (NamedParameterStatement statement = executor.statement(connection, "batch.statistics")) {
        statement.integer("shard", some.getKey()).integer("most", most);
        PostgresParameters.array(statement, "batches", "uuid", some.getValue(), BatchRow::id);
        Map<UUID, List<BatchRun>> itsRuns = runsOf(connection, some.getKey(), some.getValue());
        summaries.addAll(rowMapper.summaries(some.getValue(), itsRuns, most, statement.query()));
      }
    }
    summaries.sort(Comparator.comparing(BatchSummary::id, IdOrder.BYTEWISE).reversed());
    return summaries;
  }

  @Override
  public BatchPage list(BatchFilter filter, PageRequest page) {
    UUID after =
        page.cursor() == null
            ? PostgresTaskReader.AFTER_ALL_IDS
            : PostgresTaskReader.cursorId(page.cursor());
    return executor.runIdempotent(
        "list batches",
        (connection, mayHaveCommitted) -> {
          BatchScan scan = scan(connection, filter, after, page.size() + 1);
          List<BatchRow> shown = scan.rows().stream().limit(page.size()).toList();
          return scan.page(summaries(connection, shown, BatchScan.mostTasks(shown)), page.size());
        });
  }

  private BatchScan scan(Connection connection, BatchFilter filter, UUID after, int limit)
      throws SQLException {
    int shards = executor.settings().shards();
    BatchScan scan = new BatchScan(shards);
    for (int shard = 0; shard < shards; shard++) {
      UUID last = last(connection, scan, filter, shard, after);
      try (NamedParameterStatement statement = executor.statement(connection, "batch.list")) {
        bind(statement, shard, filter, limit);
        PostgresParameters.uuid(statement, "after_id", after);
        PostgresParameters.uuid(statement, "last_id", last);
        scan.add(statement.list(rowMapper::batch));
      }
    }
    return scan;
  }

  /** The last batch that the filter looks at. */
  private UUID last(
      Connection connection, BatchScan scan, BatchFilter filter, int shard, UUID after)
      throws SQLException {
    if (!filter.readsTasks()) {
      return BatchScan.END;
    }
    try (NamedParameterStatement statement = executor.statement(connection, "batch.scan")) {
      statement.integer("shard", shard).integer("limit", scan.batchesEach());
      PostgresParameters.uuid(statement, "after_id", after);
      return scan.last(statement.list(rowMapper::entry));
    }
  }

  @Override
  public TaskCount count(BatchFilter filter, int limit) {
    return executor.runIdempotent(
        "count batches",
        (connection, mayHaveCommitted) -> {
          int shards = executor.settings().shards();
          BatchScan scan = new BatchScan(shards);
          long batches = 0;
          for (int shard = 0; shard < shards && batches < limit; shard++) {
            UUID last = last(connection, scan, filter, shard, PostgresTaskReader.AFTER_ALL_IDS);
            try (NamedParameterStatement statement =
                executor.statement(connection, "batch.count")) {
              bind(statement, shard, filter, limit);
              PostgresParameters.uuid(statement, "last_id", last);
              ResultSet row = statement.query();
              row.next();
              batches += row.getLong("batches");
            }
          }
          return new TaskCount(Math.min(batches, limit), batches < limit && !scan.stopped());
        });
  }

  private static void bind(
      NamedParameterStatement statement, int shard, BatchFilter filter, int limit)
      throws SQLException {
    PostgresParameters.instant(statement, "created_after", filter.createdAfter());
    PostgresParameters.instant(statement, "created_before", filter.createdBefore());
    flag(statement, "live", filter.live());
    flag(statement, "task_filter", filter.concernsTasks() ? true : null);
    statement
        .integer("shard", shard)
        .integer("limit", limit)
        .text("status", filter.status() == null ? null : filter.status().text())
        .text("kind_part", PostgresParameters.withoutNul(filter.kind()))
        .text("name_part", PostgresParameters.withoutNul(filter.name()));
  }

  private static void flag(NamedParameterStatement statement, String name, @Nullable Boolean value)
      throws SQLException {
    statement.set(name, (target, index) -> target.setObject(index, value, Types.BOOLEAN));
  }

  @Override
  public List<Dependency> dependencies(UUID batch, @Nullable Integer run, int limit) {
    return executor.runIdempotent(
        "list dependencies",
        (connection, mayHaveCommitted) -> {
          try (NamedParameterStatement statement =
              statement(connection, "dependency.list_of_batch", batch)) {
            PostgresParameters.uuid(statement.integer("limit", limit), "batch", batch);
            statement.number("run", run == null ? null : (Long) (long) run);
            return statement.list(new RunRowMapper(columns)::dependency);
          }
        });
  }

  @Override
  public List<ParentTask> parents(UUID task, @Nullable UUID after, int limit, int maxResultBytes) {
    return executor.runIdempotent(
        "list parents",
        (connection, mayHaveCommitted) -> {
          try (NamedParameterStatement statement =
              statement(connection, "dependency.parents", task)) {
            statement.integer("limit", limit).integer("max_bytes", maxResultBytes);
            PostgresParameters.uuid(statement, "child", task);
            PostgresParameters.uuid(statement, "after", after == null ? BEFORE_ALL_IDS : after);
            return statement.list(rowMapper::parent);
          }
        });
  }

  @Override
  public Map<String, ParentTask> namedParents(UUID task, Set<String> names) {
    List<String> given = List.copyOf(names);
    return executor.runIdempotent(
        "find parents",
        (connection, mayHaveCommitted) -> {
          Map<String, ParentTask> found = new HashMap<>();
          try (NamedParameterStatement statement =
              statement(connection, "dependency.named_parents", task)) {
            statement.integer("max_bytes", ParentTask.MAX_RESULT_BYTES);
            PostgresParameters.uuid(statement, "child", task);
            PostgresParameters.array(
                statement, "names", "text", given, PostgresParameters::withoutNul);
            PostgresParameters.array(statement, "ids", "uuid", given, IdText::parse);
            ResultSet row = statement.query();
            while (row.next()) {
              found.put(row.getString("given"), rowMapper.parent(row));
            }
          }
          return found;
        });
  }

  private NamedParameterStatement statement(Connection connection, String name, UUID id)
      throws SQLException {
    return executor.statement(connection, name).integer("shard", Shards.of(id));
  }
}
