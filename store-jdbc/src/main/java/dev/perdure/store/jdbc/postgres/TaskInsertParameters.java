// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.engine.query.MetadataIndex;
import dev.perdure.engine.spi.InitialDependencies;
import dev.perdure.engine.spi.LimitRules;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.engine.task.BatchDefinition;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.TaskDefinition;
import dev.perdure.engine.task.TaskLimit;
import dev.perdure.store.jdbc.sql.NamedParameterStatement;
import dev.perdure.store.jdbc.sql.SqlTimes;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Binds the parameters of the statement that inserts tasks. */
final class TaskInsertParameters {

  private TaskInsertParameters() {}

  static void batches(NamedParameterStatement statement, List<Submission> submissions)
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

  static void tasks(NamedParameterStatement statement, List<NewTaskRow> rows) throws SQLException {
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
  static void dependencies(
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
  static void limits(NamedParameterStatement statement, List<UUID> batches, List<NewTaskRow> rows)
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
    limitEvents(statement, List.copyOf(uses.values()));
  }

  private static void limitEvents(NamedParameterStatement statement, List<LimitUse> uses)
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
  static void importedHistory(NamedParameterStatement statement, List<NewTaskRow> rows)
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
    texts(
        statement,
        "errors",
        rows,
        row -> row.importedHistory() == null ? null : row.importedHistory().error());
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

  static long dueIn(DueTime dueTime) {
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
