// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

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
import dev.perdure.store.jdbc.sql.RunRowMapper.CompleteRow;
import java.sql.SQLException;
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

/** Reads and stops batches. */
final class SqliteBatchStore implements BatchStore {

  private static final UUID BEFORE_ALL_IDS = new UUID(0, 0);
  private static final BatchRowMapper ROW_MAPPER = new BatchRowMapper(SqliteColumnReader.INSTANCE);

  private final SqliteStore store;

  SqliteBatchStore(SqliteStore store) {
    this.store = store;
  }

  @Override
  public boolean markStopped(UUID batch) {
    return store.write(
        (session, now) -> {
          int found = ofBatch(session, "batch.stop", batch).number("now", now).update();
          ofRun(session, "run.stop", batch).update();
          return found == 1;
        });
  }

  private static CachedStatement ofBatch(SqliteSession session, String name, UUID batch)
      throws SQLException {
    return session.statement(name).number("shard", Shards.of(batch)).id("id", batch);
  }

  private static CachedStatement ofRun(SqliteSession session, String name, UUID batch)
      throws SQLException {
    return session.statement(name).number("shard", Shards.of(batch)).id("batch", batch);
  }

  @Override
  public List<CompletedRun> completedRuns(int limit) {
    return store.read(
        (session, now) -> {
          SqliteRuns runs = new SqliteRuns(session, now);
          List<CompletedRun> found = new ArrayList<>();
          for (int shard = 0; shard < store.shards(); shard++) {
            for (CompleteRow run : runs.complete(shard, limit - found.size())) {
              Optional<BatchRow> batch = row(session, run.batch());
              if (batch.isPresent() && batch.get().run() == run.run()) {
                CompletedRun read =
                    runs.read(
                        batch.get(),
                        run.version(),
                        runsOf(session, shard, List.of(batch.get()))
                            .getOrDefault(run.batch(), List.of()));
                if (read != null) {
                  found.add(read);
                }
              }
            }
          }
          return found;
        });
  }

  private static Map<UUID, List<BatchRun>> runsOf(
      SqliteSession session, int shard, List<BatchRow> batches) throws SQLException {
    Map<UUID, List<BatchRun>> found = new HashMap<>();
    session
        .statement("run.list")
        .number("shard", shard)
        .text("batches", SqliteValues.hexJson(batches.stream().map(BatchRow::id).toList()))
        .query(rows -> found.putAll(ROW_MAPPER.runs(rows)));
    return found;
  }

  @Override
  public boolean endRun(RunDecision decision) {
    return store.write((session, now) -> new SqliteRuns(session, now).end(decision));
  }

  @Override
  public List<DueRun> dueRuns(int limit) {
    return store.read(
        (session, now) -> {
          List<DueRun> found = new ArrayList<>();
          for (int shard = 0; shard < store.shards(); shard++) {
            found.addAll(new SqliteRuns(session, now).due(shard, limit - found.size()));
          }
          return found;
        });
  }

  @Override
  public int startRun(DueRun run, Supplier<UUID> ids) {
    return store.write(
        (session, now) -> {
          Optional<BatchRow> batch = row(session, run.batch());
          return batch.isEmpty() ? 0 : new SqliteRuns(session, now).start(batch.get(), run, ids);
        });
  }

  @Override
  public boolean runAgain(DueRun run) {
    return store.write(
        (session, now) -> {
          UUID batch = run.batch();
          int current =
              ofBatch(session, "batch.lock", batch).one(row -> row.getInt("run")).orElse(-1);
          if (current != run.number() - 1) {
            return current == run.number(); // It has started already.
          }
          ofRun(session, "run.insert_ended", batch).number("run", current).update();
          boolean due =
              ofRun(session, "run.run_again", batch)
                      .number("now", now)
                      .number("run", current)
                      .update()
                  == 1;
          if (due) {
            ofBatch(session, "batch.unstop", batch).number("now", now).update();
          }
          return due;
        });
  }

  @Override
  public Optional<Integer> currentRun(UUID batch) {
    return store.read((session, now) -> row(session, batch).map(BatchRow::run));
  }

  @Override
  public Optional<UUID> firstFailed(UUID batch, int run) {
    return store.read(
        (session, now) ->
            ofRun(session, "run.tasks", batch)
                .number("run", run)
                .one(row -> Optional.ofNullable(row.getBytes("failed_task")))
                .flatMap(id -> id.map(SqliteValues::uuid)));
  }

  @Override
  public Optional<BatchSummary> find(UUID batch) {
    return store.read(
        (session, now) -> {
          Optional<BatchRow> row = row(session, batch);
          return row.isEmpty()
              ? Optional.empty()
              : summaries(session, List.of(row.get()), Integer.MAX_VALUE).stream().findFirst();
        });
  }

  @Override
  public Optional<BatchDefinition> definition(UUID batch) {
    return store.read((session, now) -> row(session, batch).map(BatchRow::definition));
  }

  private static Optional<BatchRow> row(SqliteSession session, UUID batch) throws SQLException {
    return ofBatch(session, "batch.find", batch).one(ROW_MAPPER::batch);
  }

  private static List<BatchSummary> summaries(
      SqliteSession session, List<BatchRow> batches, int most) throws SQLException {
    Map<Integer, List<BatchRow>> byShard =
        batches.stream().collect(Collectors.groupingBy(batch -> Shards.of(batch.id())));
    List<BatchSummary> summaries = new ArrayList<>();
    for (Map.Entry<Integer, List<BatchRow>> some : byShard.entrySet()) {
      Map<UUID, List<BatchRun>> runs = runsOf(session, some.getKey(), some.getValue());
      session
          .statement("batch.statistics")
          .number("shard", some.getKey())
          .number("most", most)
          .text(
              "batches", SqliteValues.hexJson(some.getValue().stream().map(BatchRow::id).toList()))
          .query(rows -> summaries.addAll(ROW_MAPPER.summaries(some.getValue(), runs, most, rows)));
    }
    summaries.sort(Comparator.comparing(BatchSummary::id, IdOrder.BYTEWISE).reversed());
    return summaries;
  }

  @Override
  public BatchPage list(BatchFilter filter, PageRequest page) {
    byte[] after =
        page.cursor() == null
            ? SqliteValues.afterAllIds()
            : SqliteValues.bytes(UUID.fromString(page.cursor()));
    return store.read(
        (session, now) -> {
          BatchScan scan = scan(session, filter, after, page.size() + 1);
          List<BatchRow> shown = scan.rows().stream().limit(page.size()).toList();
          return scan.page(summaries(session, shown, BatchScan.mostTasks(shown)), page.size());
        });
  }

  private BatchScan scan(SqliteSession session, BatchFilter filter, byte[] after, int limit)
      throws SQLException {
    BatchScan scan = new BatchScan(store.shards());
    for (int shard = 0; shard < store.shards(); shard++) {
      UUID last = last(session, scan, filter, shard, after);
      scan.add(
          bind(session.statement("batch.list"), filter, limit)
              .number("shard", shard)
              .bytes("after_id", after)
              .id("last_id", last)
              .list(ROW_MAPPER::batch));
    }
    return scan;
  }

  /** The last batch that the filter looks at. */
  private static UUID last(
      SqliteSession session, BatchScan scan, BatchFilter filter, int shard, byte[] after)
      throws SQLException {
    return filter.readsTasks()
        ? scan.last(
            session
                .statement("batch.scan")
                .number("shard", shard)
                .bytes("after_id", after)
                .number("limit", scan.batchesEach())
                .list(ROW_MAPPER::entry))
        : BatchScan.END;
  }

  @Override
  public TaskCount count(BatchFilter filter, int limit) {
    return store.read(
        (session, now) -> {
          BatchScan scan = new BatchScan(store.shards());
          long batches = 0;
          for (int shard = 0; shard < store.shards() && batches < limit; shard++) {
            UUID last = last(session, scan, filter, shard, SqliteValues.afterAllIds());
            batches +=
                bind(session.statement("batch.count"), filter, limit)
                    .number("shard", shard)
                    .id("last_id", last)
                    .one(row -> row.getLong("batches"))
                    .orElse(0L);
          }
          return new TaskCount(Math.min(batches, limit), batches < limit && !scan.stopped());
        });
  }

  private static CachedStatement bind(CachedStatement statement, BatchFilter filter, int limit)
      throws SQLException {
    return statement
        .number("limit", limit)
        .number("created_after", SqliteValues.millis(filter.createdAfter()))
        .number("created_before", SqliteValues.millis(filter.createdBefore()))
        .number("live", flag(filter.live()))
        .number("task_filter", filter.concernsTasks() ? 1L : null)
        .text("status", filter.status() == null ? null : filter.status().text())
        .text("kind_part", filter.kind())
        .text("name_part", filter.name());
  }

  private static @Nullable Long flag(@Nullable Boolean value) {
    return value == null ? null : (Long) (value ? 1L : 0L);
  }

  @Override
  public List<Dependency> dependencies(UUID batch, @Nullable Integer run, int limit) {
    return store.read(
        (session, now) ->
            session
                .statement("dependency.list_of_batch")
                .number("shard", Shards.of(batch))
                .id("batch", batch)
                .number("run", run == null ? null : (Long) (long) run)
                .number("limit", limit)
                .list(SqliteRuns.RUN_ROWS::dependency));
  }

  @Override
  public List<ParentTask> parents(UUID task, @Nullable UUID after, int limit, int maxResultBytes) {
    return store.read(
        (session, now) ->
            session
                .statement("dependency.parents")
                .number("shard", Shards.of(task))
                .id("child", task)
                .id("after", after == null ? BEFORE_ALL_IDS : after)
                .number("max_bytes", maxResultBytes)
                .number("limit", limit)
                .list(ROW_MAPPER::parent));
  }

  @Override
  public Map<String, ParentTask> namedParents(UUID task, Set<String> names) {
    return store.read(
        (session, now) -> {
          CachedStatement find =
              session
                  .statement("dependency.named_parents")
                  .number("shard", Shards.of(task))
                  .id("child", task)
                  .number("max_bytes", ParentTask.MAX_RESULT_BYTES);
          Map<String, ParentTask> found = new HashMap<>();
          for (String name : names) {
            UUID id = IdText.parse(name);
            find.text("name", name)
                .bytes("id", id == null ? null : SqliteValues.bytes(id))
                .one(ROW_MAPPER::parent)
                .ifPresent(parent -> found.put(name, parent));
          }
          return found;
        });
  }
}
