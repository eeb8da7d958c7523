// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.engine.spi.BatchStore.DueRun;
import dev.perdure.engine.spi.CompletedRun;
import dev.perdure.engine.spi.HeldTasks;
import dev.perdure.engine.spi.InitialDependencies;
import dev.perdure.engine.spi.RunCopy;
import dev.perdure.engine.spi.RunCopy.OldTask;
import dev.perdure.engine.spi.RunDecision;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.task.BatchRun;
import dev.perdure.engine.task.BatchRun.RunFailure;
import dev.perdure.engine.task.Dependency;
import dev.perdure.engine.task.IdOrder;
import dev.perdure.engine.task.Shards;
import dev.perdure.store.jdbc.sql.BatchRowMapper.BatchRow;
import dev.perdure.store.jdbc.sql.NamedParameterStatement;
import dev.perdure.store.jdbc.sql.RunRowMapper;
import dev.perdure.store.jdbc.sql.RunRowMapper.CompleteRow;
import dev.perdure.store.jdbc.sql.SqlTimes;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Ends and starts runs of batches on a given connection. */
final class PostgresRuns {

  private static final int MAX_ROWS_PER_STATEMENT = 2_000;

  private final PostgresExecutor executor;
  private final RunRowMapper runRows = new RunRowMapper(new PostgresColumnReader());
  private final DependencyWriter dependencyWriter;
  private final DeliveryWriter deliveryWriter;
  private final PostgresSubmissionWriter submissionWriter;
  private final KeyHolders keyHolders;
  private final PostgresRunTasks runTasks;

  PostgresRuns(PostgresExecutor executor) {
    this.executor = executor;
    this.dependencyWriter = new DependencyWriter(executor);
    this.deliveryWriter = new DeliveryWriter(executor);
    this.submissionWriter = new PostgresSubmissionWriter(executor);
    this.keyHolders = new KeyHolders(executor);
    this.runTasks = new PostgresRunTasks(executor);
  }

  List<CompleteRow> complete(Connection connection, int shard, int limit) throws SQLException {
    try (NamedParameterStatement statement = executor.statement(connection, "run.complete")) {
      return statement.integer("shard", shard).integer("limit", limit).list(runRows::complete);
    }
  }

  List<DueRun> due(Connection connection, int shard, int limit) throws SQLException {
    try (NamedParameterStatement statement = executor.statement(connection, "run.due")) {
      PostgresParameters.instant(statement, "now", executor.settings().now());
      return statement.integer("shard", shard).integer("limit", limit).list(runRows::due);
    }
  }

  /** Reads what a decision about the run needs; null when there is nothing to decide. */
  @Nullable CompletedRun read(
      Connection connection, BatchRow batch, int version, List<BatchRun> runs) throws SQLException {
    return runTasks.read(connection, batch, version, runs);
  }

  boolean end(Connection connection, RunDecision decision) throws SQLException {
    try (NamedParameterStatement statement =
        statement(connection, "run.end", decision.batch()).integer("run", decision.run())) {
      statement.integer("version", decision.version());
      PostgresParameters.instant(statement, "now", executor.settings().now());
      RunFailure failure = decision.failure();
      PostgresParameters.uuid(statement, "failed_task", failure == null ? null : failure.task());
      statement
          .text("outcome", decision.outcome().text())
          .text("failure_kind", failure == null ? null : failure.kind())
          .text("failure_reason", failure == null ? null : failure.reason())
          .text(
              "give_up_reason",
              decision.giveUpReason() == null ? null : decision.giveUpReason().text())
          .number("delay_ms", SqlTimes.toMillisOrNull(decision.delay()));
      if (statement.update() == 0) {
        return false;
      }
    }
    deliveryWriter.insert(connection, decision.deliveryTask(), decision.deliveries());
    if (decision.delay() == null) {
      announceEnd(connection, decision);
      for (Submission followUp : decision.followUps()) {
        submissionWriter.submitAtomically(connection, followUp);
      }
    }
    return true;
  }

  private void announceEnd(Connection connection, RunDecision decision) throws SQLException {
    try (NamedParameterStatement statement =
        statement(connection, "run.announce_end", decision.batch())) {
      PostgresParameters.instant(statement, "now", executor.settings().now());
      statement.integer("run", decision.run()).update();
    }
  }

  /**
   * Returns the number of tasks, or 0 when the run is not due any more. Locks first the tasks of
   * the run before together with those that they depend on, and with the live tasks that take their
   * place, in the order of their ids, so that a submission that depends on one of them has
   * committed; then the batch, then the run.
   */
  int start(Connection connection, BatchRow batch, DueRun due, Supplier<UUID> ids)
      throws SQLException {
    int previous = due.number() - 1;
    int shard = Shards.of(batch.id());
    RunCopy.Source source = runTasks.source(connection, batch.id(), previous);
    Set<UUID> holders = holders(held(connection, shard, source.tasks()));
    List<OldTask> tasks = lock(connection, shard, source, holders);
    LockedBatch locked = lockBatch(connection, batch.id());
    if (locked == null || locked.run() != previous) {
      return 0;
    }
    HeldTasks held = held(connection, shard, tasks);
    if (!locked.stopped() && held.mustWait()) {
      return putOff(connection, batch.id(), previous);
    }
    if (!beginNext(connection, batch.id(), previous)) {
      return 0;
    }
    if (locked.stopped() || tasks.stream().anyMatch(OldTask::live)) {
      return reopen(connection, batch.id(), previous);
    }
    if (!holders.containsAll(held.holders().values())) {
      throw new KeyHolders.LockOrderException();
    }
    RunCopy copy = new RunCopy(new RunCopy.Source(tasks, source.dependencies()), held, ids);
    InitialDependencies initial =
        copy.initial(
            batch.definition(), dependencyWriter.observe(connection, shard, copy.storedParents()));
    startBatch(connection, batch.id(), due.number(), copy);
    copyTasks(connection, batch.id(), due.number(), copy, initial);
    bindToHolders(connection, shard, copy);
    dependencyWriter.insert(connection, shard, initial);
    insertRun(connection, due, copy.tasks().size());
    return copy.tasks().size();
  }

  /** Another transaction can take a key until the copies are stored; the start is then repeated. */
  private HeldTasks held(Connection connection, int shard, List<OldTask> tasks)
      throws SQLException {
    Map<UUID, String> keys = RunCopy.dedupeKeys(tasks);
    return HeldTasks.of(tasks.size(), keys, keyHolders.find(connection, shard, keys.values()));
  }

  /** The live tasks to lock; a run that must wait does not use them. */
  private static Set<UUID> holders(HeldTasks held) {
    return held.mustWait() ? Set.of() : Set.copyOf(held.holders().values());
  }

  /** Puts the run off, because it cannot start yet; returns 0. */
  private int putOff(Connection connection, UUID batch, int run) throws SQLException {
    try (NamedParameterStatement statement = statement(connection, "run.put_off", batch)) {
      PostgresParameters.instant(statement, "now", executor.settings().now());
      statement.integer("run", run).number("delay_ms", SqlTimes.toMillis(HeldTasks.DELAY)).update();
      return 0;
    }
  }

  /** Tasks of other batches that depended on a task depend on the live one with its key. */
  private void bindToHolders(Connection connection, int shard, RunCopy copy) throws SQLException {
    List<Map.Entry<UUID, UUID>> held = List.copyOf(copy.holders().entrySet());
    if (held.isEmpty()) {
      return;
    }
    try (NamedParameterStatement statement = bind(connection, "task_state.supersede", held)) {
      itemIndexes(statement, held.size()).integer("shard", shard).update();
    }
    try (NamedParameterStatement statement = bind(connection, "dependency.move_deferred", held)) {
      itemIndexes(statement, held.size()).integer("shard", shard).update();
    }
    dependencyWriter.insertEvents(connection, shard, copy.events());
  }

  private NamedParameterStatement bind(
      Connection connection, String name, List<Map.Entry<UUID, UUID>> successors)
      throws SQLException {
    NamedParameterStatement statement = executor.statement(connection, name);
    PostgresParameters.array(statement, "old_ids", "uuid", successors, Map.Entry::getKey);
    PostgresParameters.array(statement, "new_ids", "uuid", successors, Map.Entry::getValue);
    return statement;
  }

  /**
   * Locks the tasks of the run, those that they depend on and those that take their place; returns
   * the tasks of the run.
   */
  private List<OldTask> lock(
      Connection connection, int shard, RunCopy.Source source, Set<UUID> holders)
      throws SQLException {
    List<UUID> all =
        Stream.of(
                source.tasks().stream().map(OldTask::id),
                source.dependencies().stream().map(Dependency::parent),
                holders.stream())
            .flatMap(ids -> ids)
            .distinct()
            .sorted(IdOrder.BYTEWISE)
            .toList();
    Map<UUID, OldTask> locked = dependencyWriter.lock(connection, shard, all);
    return source.tasks().stream()
        .map(task -> locked.get(task.id()))
        .filter(Objects::nonNull)
        .toList();
  }

  /** A batch whose row is locked. */
  record LockedBatch(int run, boolean stopped) {}

  /** Returns null when there is no such batch, or retention is deleting it. */
  @Nullable LockedBatch lockBatch(Connection connection, UUID batch) throws SQLException {
    try (NamedParameterStatement statement = executor.statement(connection, "batch.lock")) {
      PostgresParameters.uuid(statement.integer("shard", Shards.of(batch)), "id", batch);
      ResultSet row = statement.query();
      return row.next() ? new LockedBatch(row.getInt("run"), row.getBoolean("stopped")) : null;
    }
  }

  /** The run is decided again; returns 0. */
  private int reopen(Connection connection, UUID batch, int run) throws SQLException {
    try (NamedParameterStatement statement = statement(connection, "run.reopen", batch)) {
      statement.integer("run", run).update();
      return 0;
    }
  }

  /** Makes the run after this one due, if this one has ended. */
  boolean runAgain(Connection connection, UUID batch, int run) throws SQLException {
    try (NamedParameterStatement statement = statement(connection, "run.insert_ended", batch)) {
      statement.integer("run", run).update();
    }
    try (NamedParameterStatement statement = statement(connection, "run.run_again", batch)) {
      PostgresParameters.instant(statement, "now", executor.settings().now());
      return statement.integer("run", run).update() == 1;
    }
  }

  private boolean beginNext(Connection connection, UUID batch, int previous) throws SQLException {
    try (NamedParameterStatement statement = statement(connection, "run.begin_next", batch)) {
      PostgresParameters.instant(statement, "now", executor.settings().now());
      return statement.integer("run", previous).update() == 1;
    }
  }

  private void startBatch(Connection connection, UUID batch, int run, RunCopy copy)
      throws SQLException {
    try (NamedParameterStatement statement = executor.statement(connection, "batch.start_run")) {
      PostgresParameters.instant(statement, "now", executor.settings().now());
      PostgresParameters.uuid(statement, "id", batch);
      PostgresParameters.uuid(statement, "first_task", copy.firstTask());
      statement
          .integer("shard", Shards.of(batch))
          .integer("run", run)
          .integer("tasks", copy.tasks().size())
          .update();
    }
  }

  private void copyTasks(
      Connection connection, UUID batch, int run, RunCopy copy, InitialDependencies initial)
      throws SQLException {
    List<OldTask> all = copy.tasks();
    for (int from = 0; from < all.size(); from += MAX_ROWS_PER_STATEMENT) {
      List<OldTask> chunk = all.subList(from, Math.min(all.size(), from + MAX_ROWS_PER_STATEMENT));
      try (NamedParameterStatement statement = copying(connection, "graph.copy", chunk, copy)) {
        PostgresParameters.instant(statement, "now", executor.settings().now());
        statement.integer("shard", Shards.of(batch)).integer("run", run);
        itemIndexes(statement, chunk.size());
        PostgresParameters.array(
            statement,
            "unmet",
            "int4",
            chunk,
            task -> initial.counts(copy.newId(task.id())).unmet());
        PostgresParameters.array(
            statement,
            "unmet_failed",
            "int4",
            chunk,
            task -> initial.counts(copy.newId(task.id())).failed());
        PostgresParameters.array(
            statement, "observers", "int4", chunk, task -> copy.observers(task, initial));
        statement.update();
      }
      try (NamedParameterStatement statement = copying(connection, "task.copy", chunk, copy)) {
        PostgresParameters.instant(statement, "now", executor.settings().now());
        PostgresParameters.uuid(statement, "batch", batch);
        statement.integer("shard", Shards.of(batch)).update();
      }
      try (NamedParameterStatement statement =
          copying(connection, "dependency.move_deferred", chunk, copy)) {
        itemIndexes(statement, chunk.size()).integer("shard", Shards.of(batch)).update();
      }
    }
  }

  private static NamedParameterStatement itemIndexes(NamedParameterStatement statement, int items)
      throws SQLException {
    PostgresParameters.array(
        statement, "item_indexes", "int4", IntStream.range(0, items).boxed().toList(), i -> i);
    return statement;
  }

  private NamedParameterStatement copying(
      Connection connection, String name, List<OldTask> chunk, RunCopy copy) throws SQLException {
    return bind(
        connection,
        name,
        chunk.stream().map(task -> Map.entry(task.id(), copy.newId(task.id()))).toList());
  }

  private void insertRun(Connection connection, DueRun run, int tasks) throws SQLException {
    try (NamedParameterStatement statement = statement(connection, "run.insert", run.batch())) {
      PostgresParameters.instant(statement, "now", executor.settings().now());
      statement.integer("run", run.number()).integer("open", tasks).update();
    }
  }

  private NamedParameterStatement statement(Connection connection, String name, UUID batch)
      throws SQLException {
    NamedParameterStatement statement = executor.statement(connection, name);
    PostgresParameters.uuid(statement, "batch", batch);
    return statement.integer("shard", Shards.of(batch));
  }
}
