// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.engine.query.MetadataIndex;
import dev.perdure.engine.spi.InitialDependencies;
import dev.perdure.engine.spi.LimitRules;
import dev.perdure.engine.spi.StoredParents;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.engine.task.BatchDefinition;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.Shards;
import dev.perdure.engine.task.SubmissionReceipt;
import dev.perdure.engine.task.TaskDefinition;
import dev.perdure.engine.task.TaskLimit;
import dev.perdure.store.jdbc.sql.NamedParameterStatement;
import dev.perdure.store.jdbc.sql.SqlTimes;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Inserts tasks on a given connection. */
final class PostgresSubmissionWriter {

  /**
   * Maximum rows per statement. A larger submission takes several statements in one transaction.
   */
  static final int MAX_ROWS_PER_STATEMENT = 2_000;

  private static final int MAX_BATCHED_TASKS = 100;

  private final PostgresExecutor executor;
  private final ImportedHistoryWriter importedHistory;
  private final DependencyWriter dependencies;

  PostgresSubmissionWriter(PostgresExecutor executor) {
    this.executor = executor;
    this.importedHistory = new ImportedHistoryWriter(executor);
    this.dependencies = new DependencyWriter(executor);
  }

  /** Inserts all tasks or none, even on a connection in auto-commit mode. */
  SubmissionReceipt submitAtomically(Connection connection, Submission submission)
      throws SQLException {
    if (submission.tasks().size() <= MAX_ROWS_PER_STATEMENT && isPlain(submission)) {
      submit(connection, submission, InitialDependencies.NONE);
      return submission.stored();
    }
    return PostgresExecutor.inTransaction(
        connection, (same, mayHaveCommitted) -> submitInTransaction(same, submission));
  }

  private SubmissionReceipt submitInTransaction(Connection connection, Submission submission)
      throws SQLException {
    Submission.SubmissionKeyDigest key = submission.key();
    List<UUID> parents = submission.storedParents();
    StoredParents found = dependencies.observe(connection, Shards.of(submission.batch()), parents);
    if (!parents.stream().allMatch(found::contains)) {
      SubmissionReceipt existing =
          key == null ? null : existingReceipt(connection, key, submission);
      return existing == null
          ? submission.unknownParents(
              parents.stream().filter(parent -> !found.contains(parent)).toList())
          : existing;
    }
    if (key != null && !takeKey(connection, key, submission.batch())) {
      return Objects.requireNonNull(existingReceipt(connection, key, submission));
    }
    submit(connection, submission, new InitialDependencies(submission, found));
    return submission.stored();
  }

  private boolean takeKey(Connection connection, Submission.SubmissionKeyDigest key, UUID batch)
      throws SQLException {
    try (NamedParameterStatement statement =
        executor.statement(connection, "submission_key.take")) {
      PostgresParameters.instant(statement, "now", executor.settings().now());
      PostgresParameters.uuid(statement, "batch", batch);
      return statement
              .integer("shard", Shards.of(batch))
              .text("id", key.id())
              .text("content_digest", key.content())
              .number("retention_ms", SqlTimes.toMillis(Submission.KEY_RETENTION))
              .update()
          == 1;
    }
  }

  /** Looks in all shards: a key is in the shard of its batch, which the key alone does not tell. */
  boolean isTaken(Connection connection, Submission.SubmissionKeyDigest key) throws SQLException {
    for (int shard = 0; shard < executor.settings().shards(); shard++) {
      if (isTaken(connection, shard, key)) {
        return true;
      }
    }
    return false;
  }

  private boolean isTaken(Connection connection, int shard, Submission.SubmissionKeyDigest key)
      throws SQLException {
    try (NamedParameterStatement statement =
        executor.statement(connection, "submission_key.is_taken")) {
      PostgresParameters.instant(statement, "now", executor.settings().now());
      ResultSet row =
          statement
              .integer("shard", shard)
              .text("id", key.id())
              .number("retention_ms", SqlTimes.toMillis(Submission.KEY_RETENTION))
              .query();
      return row.next() && row.getBoolean("found");
    }
  }

  /** Returns the receipt of the batch that has the key, or null if the key is free. */
  private @Nullable SubmissionReceipt existingReceipt(
      Connection connection, Submission.SubmissionKeyDigest key, Submission submission)
      throws SQLException {
    try (NamedParameterStatement statement =
        executor.statement(connection, "submission_key.find")) {
      ResultSet row =
          statement.integer("shard", Shards.of(submission.batch())).text("id", key.id()).query();
      return row.next()
          ? submission.keyInUse(
              row.getObject("batch", UUID.class),
              row.getString("content_digest"),
              batch -> ids(connection, batch))
          : null;
    }
  }

  private List<UUID> ids(Connection connection, UUID batch) throws SQLException {
    try (NamedParameterStatement statement = executor.statement(connection, "task.ids_of_batch")) {
      PostgresParameters.uuid(statement, "batch", batch);
      ResultSet row = statement.integer("shard", Shards.of(batch)).query();
      List<UUID> ids = new ArrayList<>();
      while (row.next()) {
        ids.add(row.getObject("id", UUID.class));
      }
      return ids;
    }
  }

  private void submit(Connection connection, Submission submission, InitialDependencies initial)
      throws SQLException {
    List<NewTaskRow> rows = submission.tasks();
    for (int from = 0; from < rows.size(); from += MAX_ROWS_PER_STATEMENT) {
      List<NewTaskRow> chunk =
          rows.subList(from, Math.min(rows.size(), from + MAX_ROWS_PER_STATEMENT));
      List<UUID> batches = Collections.nCopies(chunk.size(), submission.batch());
      if (insert(connection, List.of(submission), from, batches, chunk, initial) == 0) {
        return; // The batch was already submitted.
      }
      importedHistory.insert(connection, chunk);
    }
    dependencies.insert(connection, Shards.of(submission.batch()), initial);
    if (submission.definition().hasRuns()) {
      insertRun(connection, submission.batch(), submission.tasks().size());
    }
  }

  private void insertRun(Connection connection, UUID batch, int tasks) throws SQLException {
    try (NamedParameterStatement statement = executor.statement(connection, "run.insert")) {
      PostgresParameters.instant(statement, "now", executor.settings().now());
      PostgresParameters.uuid(statement, "batch", batch);
      statement
          .integer("shard", Shards.of(batch))
          .integer("run", 0)
          .integer("open", tasks)
          .update();
    }
  }

  /**
   * Inserts small submissions of one shard in one statement. They have neither keys nor imported
   * history nor dependencies.
   */
  void submitAll(Connection connection, List<Submission> submissions) throws SQLException {
    List<UUID> batches = new ArrayList<>();
    List<NewTaskRow> rows = new ArrayList<>();
    // In the order of their ids, so that two callers that repeat the same submissions do not
    // deadlock.
    List<Submission> sorted =
        submissions.stream().sorted(Comparator.comparing(Submission::batch)).toList();
    for (Submission submission : sorted) {
      batches.addAll(Collections.nCopies(submission.tasks().size(), submission.batch()));
      rows.addAll(submission.tasks());
    }
    insert(connection, sorted, 0, batches, rows, InitialDependencies.NONE);
  }

  /** Returns whether the submission can be written together with others. */
  static boolean isSmall(Submission submission) {
    return submission.tasks().size() <= MAX_BATCHED_TASKS && isPlain(submission);
  }

  /** Returns whether rows of tasks and their batch are all that is stored. */
  private static boolean isPlain(Submission submission) {
    return submission.key() == null
        && submission.dependencies().isEmpty()
        && !submission.definition().hasRuns()
        && submission.tasks().stream()
            .allMatch(row -> row.importedHistory() == null && !row.cancelAtDeadEnd());
  }

  private int insert(
      Connection connection,
      List<Submission> submissions,
      int from,
      List<UUID> batches,
      List<NewTaskRow> rows,
      InitialDependencies initial)
      throws SQLException {
    try (NamedParameterStatement statement = executor.statement(connection, "task_state.insert")) {
      PostgresParameters.instant(statement, "now", executor.settings().now());
      statement.integer("shard", Shards.of(submissions.getFirst().batch()));
      PostgresParameters.array(statement, "batches", "uuid", submissions, Submission::batch);
      PostgresParameters.array(
          statement, "sizes", "int4", submissions, submission -> submission.tasks().size());
      bindBatches(statement, submissions);
      statement.integer("first_row", from);
      PostgresParameters.array(statement, "task_batches", "uuid", batches, batch -> batch);
      bind(statement, rows);
      bindImportedHistory(statement, rows);
      bindDependencies(statement, rows, initial);
      bindLimits(statement, batches, rows);
      return statement.update();
    }
  }

  private static void bindBatches(NamedParameterStatement statement, List<Submission> submissions)
      throws SQLException {
    batchTexts(statement, "batch_names", submissions, BatchDefinition::name);
    batchTexts(statement, "batch_contexts", submissions, BatchDefinition::context);
    batchTexts(statement, "batch_policies", submissions, BatchDefinition::policy);
    batchTexts(statement, "batch_policies_as_given", submissions, BatchDefinition::policyAsGiven);
    batchTexts(statement, "batch_actions", submissions, BatchDefinition::actions);
    batchTexts(statement, "batch_follow_ups", submissions, BatchDefinition::followUps);
  }

  private static void batchTexts(
      NamedParameterStatement statement,
      String parameter,
      List<Submission> submissions,
      Function<BatchDefinition, @Nullable String> value)
      throws SQLException {
    PostgresParameters.array(
        statement,
        parameter,
        "text",
        submissions,
        submission -> PostgresParameters.withoutNul(value.apply(submission.definition())));
  }

  private static void bind(NamedParameterStatement statement, List<NewTaskRow> rows)
      throws SQLException {
    PostgresParameters.array(statement, "ids", "uuid", rows, NewTaskRow::id);
    texts(statement, "kinds", rows, row -> row.definition().kind());
    texts(statement, "names", rows, row -> row.definition().name());
    texts(statement, "payloads", rows, row -> row.definition().payload());
    texts(statement, "metadata", rows, row -> row.definition().metadata());
    texts(
        statement,
        "metadata_indexes",
        rows,
        row -> MetadataIndex.indexText(row.definition().metadata()));
    texts(statement, "policies", rows, row -> row.definition().policy());
    texts(statement, "policies_as_given", rows, row -> row.definition().policyAsGiven());
    texts(statement, "strategies", rows, row -> row.definition().strategy());
    PostgresParameters.array(
        statement,
        "timeouts_ms",
        "int8",
        rows,
        row -> SqlTimes.toMillisOrNull(row.definition().timeout()));
    PostgresParameters.array(
        statement,
        "deadlines_at",
        "timestamptz",
        rows,
        row -> PostgresParameters.instantText(row.definition().deadline()));
    PostgresParameters.array(
        statement, "priorities", "int4", rows, row -> row.definition().priority());
    texts(statement, "idempotency_keys", rows, row -> row.definition().idempotencyKey());
    texts(statement, "local_ids", rows, row -> row.definition().localId());
    texts(statement, "queues", rows, row -> row.definition().queue());
    texts(statement, "actions", rows, row -> row.definition().actions());
    texts(statement, "traces", rows, row -> row.definition().traceText());
    PostgresParameters.array(statement, "expected_counts", "int8", rows, NewTaskRow::expectedCount);
    PostgresParameters.array(statement, "dues_in_ms", "int8", rows, row -> dueIn(row.due()));
    PostgresParameters.array(
        statement, "dues_at", "timestamptz", rows, row -> PostgresParameters.dueAt(row.due()));
  }

  /** For a task without dependencies and children all values except the state are null. */
  private static void bindDependencies(
      NamedParameterStatement statement, List<NewTaskRow> rows, InitialDependencies initial)
      throws SQLException {
    texts(statement, "states", rows, row -> initial.state(row).text());
    PostgresParameters.array(
        statement, "unmet", "int4", rows, row -> orNull(initial.counts(row.id()).unmet()));
    PostgresParameters.array(
        statement, "unmet_failed", "int4", rows, row -> orNull(initial.counts(row.id()).failed()));
    PostgresParameters.array(
        statement, "observers", "int4", rows, row -> orNull(initial.observers(row.id())));
  }

  /** Limits of one task. */
  private record LimitsOfTask(UUID batch, String queue, List<TaskLimit> limits) {}

  /** A use of a limit by one submission, which has an event. */
  private record LimitUse(UUID batch, String queue, TaskLimit limit) {}

  /** For tasks without limits all values are null. */
  private static void bindLimits(
      NamedParameterStatement statement, List<UUID> batches, List<NewTaskRow> rows)
      throws SQLException {
    List<LimitsOfTask> tasks = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      TaskDefinition task = rows.get(i).definition();
      tasks.add(new LimitsOfTask(batches.get(i), task.queueOrKind(), LimitRules.of(task)));
    }
    texts(statement, "rules", rows, row -> row.definition().rules());
    texts(statement, "dedupe_keys", rows, row -> row.definition().dedupeKey());
    PostgresParameters.array(
        statement, "limits", "text", tasks, task -> TaskLimit.keys(task.limits()));
    PostgresParameters.array(
        statement,
        "limit_keys",
        "text",
        tasks,
        task -> task.limits().isEmpty() ? null : task.limits().getFirst().key());
    Map<List<Object>, LimitUse> uses = new LinkedHashMap<>();
    for (LimitsOfTask task : tasks) {
      for (TaskLimit limit : task.limits()) {
        uses.put(
            List.of(task.batch(), task.queue(), limit.key()),
            new LimitUse(task.batch(), task.queue(), limit));
      }
    }
    bindEvents(statement, List.copyOf(uses.values()));
  }

  private static void bindEvents(NamedParameterStatement statement, List<LimitUse> uses)
      throws SQLException {
    PostgresParameters.array(statement, "event_batches", "uuid", uses, LimitUse::batch);
    PostgresParameters.array(statement, "event_queues", "text", uses, LimitUse::queue);
    PostgresParameters.array(statement, "event_keys", "text", uses, use -> use.limit().key());
    PostgresParameters.array(statement, "event_max", "int8", uses, use -> use.limit().rule().max());
    PostgresParameters.array(
        statement,
        "event_per_ms",
        "int8",
        uses,
        use -> SqlTimes.toMillisOrNull(use.limit().rule().per()));
    PostgresParameters.array(
        statement, "event_burst", "int4", uses, use -> use.limit().rule().burst());
  }

  private static @Nullable Integer orNull(int count) {
    return count == 0 ? null : (Integer) count;
  }

  /** For a task without imported history all values except the first two are null. */
  private static void bindImportedHistory(NamedParameterStatement statement, List<NewTaskRow> rows)
      throws SQLException {
    PostgresParameters.array(statement, "epochs", "int8", rows, NewTaskRow::epoch);
    PostgresParameters.array(
        statement, "attempts", "int8", rows, row -> row.retryCounters().attempt());
    PostgresParameters.array(
        statement,
        "prev_delays_ms",
        "int8",
        rows,
        row -> SqlTimes.toMillisOrNull(row.retryCounters().previousDelay()));
    texts(
        statement,
        "failure_kinds",
        rows,
        row ->
            row.importedHistory() == null
                ? null
                : row.importedHistory().last().details().failureKind());
    PostgresParameters.array(
        statement,
        "ages_ms",
        "int8",
        rows,
        row ->
            row.importedHistory() == null ? null : SqlTimes.toMillis(row.importedHistory().age()));
    PostgresParameters.array(
        statement,
        "started_ago_ms",
        "int8",
        rows,
        row ->
            row.importedHistory() == null
                ? null
                : SqlTimes.toMillis(row.importedHistory().last().startedAgo()));
  }

  private static long dueIn(DueTime dueTime) {
    return dueTime instanceof DueTime.In in ? SqlTimes.toMillis(in.delay()) : 0;
  }

  private static void texts(
      NamedParameterStatement statement,
      String parameter,
      List<NewTaskRow> rows,
      Function<NewTaskRow, @Nullable String> value)
      throws SQLException {
    PostgresParameters.array(
        statement, parameter, "text", rows, row -> PostgresParameters.withoutNul(value.apply(row)));
  }
}
