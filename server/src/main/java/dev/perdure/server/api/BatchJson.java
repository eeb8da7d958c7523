// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.BatchStopResult;
import dev.perdure.engine.query.BatchSummary;
import dev.perdure.engine.task.BatchRun;
import dev.perdure.engine.task.BatchRun.RunFailure;
import dev.perdure.engine.task.DisplayStatus;
import dev.perdure.policy.InstantText;
import dev.perdure.server.webhook.StoredActions;
import java.time.Instant;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Writes batches as JSON. */
final class BatchJson {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private BatchJson() {}

  /** A batch as a list shows it, without context and runs. */
  static ObjectNode row(BatchSummary batch) {
    String updated = InstantText.of(batch.updatedAt());
    String created = InstantText.of(batch.createdAt());
    ObjectNode json =
        NODES
            .objectNode()
            .put("batch_id", batch.id().toString())
            .put("name", batch.definition().name())
            .put("run", batch.run())
            .put("next_run_at", InstantText.of(nextRunAt(batch)))
            .put("total_tasks", batch.tasks())
            .put("counts_capped", batch.capped());
    ObjectNode counts = json.putObject("status_counts");
    Stream.of(DisplayStatus.values())
        .forEach(status -> counts.put(status.text(), batch.count(status)));
    json.put("total_success", batch.success())
        .put("total_failures", batch.failures())
        .put("total_expected", batch.expected())
        .put("progress", progress(batch))
        .put("created_at", created)
        .put("last_updated", updated)
        .put("ended_at", InstantText.of(batch.endedAt()))
        .put("stopped_at", InstantText.of(batch.stoppedAt()))
        .put("first_created_at", created)
        .put("latest_updated_at", updated);
    batch.kinds().forEach(json.putArray("kinds")::add);
    String given = batch.definition().policyAsGiven();
    json.set("retry", TaskJson.parseStored(given == null ? batch.definition().policy() : given));
    return json;
  }

  static @Nullable Instant nextRunAt(BatchSummary batch) {
    return batch.runs().isEmpty() ? null : batch.runs().getLast().nextRunAt();
  }

  /**
   * A batch with everything.
   *
   * @param failure why its first task failed that failed by itself; null when none did
   */
  static ObjectNode of(BatchSummary batch, @Nullable String failure) {
    ObjectNode json = row(batch);
    ArrayNode runs = json.putArray("runs");
    if (batch.runs().isEmpty()) {
      runs.addObject()
          .put("run", batch.run())
          .put("started_at", InstantText.of(batch.createdAt()))
          .put("ended_at", InstantText.of(batch.endedAt()))
          .put("outcome", outcome(batch))
          .put("failure", failure);
    }
    batch.runs().forEach(run -> runs.add(run(run)));
    json.set("actions", StoredActions.redacted(batch.definition().actions()));
    json.set("notify", StoredActions.notifications(batch.definition().actions()));
    json.set("context", TaskJson.parseStored(batch.definition().context()));
    return json;
  }

  private static ObjectNode run(BatchRun run) {
    RunFailure failure = run.failure();
    return NODES
        .objectNode()
        .put("run", run.number())
        .put("started_at", InstantText.of(run.startedAt()))
        .put("ended_at", InstantText.of(run.endedAt()))
        .put("outcome", run.outcome() == null ? null : run.outcome().text())
        .put("failure", failure == null ? null : reason(failure));
  }

  private static @Nullable String reason(RunFailure failure) {
    return failure.reason() == null ? failure.kind() : failure.reason();
  }

  /** The share of the items that are done, if all tasks know their number; else of the tasks. */
  private static double progress(BatchSummary batch) {
    Long expected = batch.expected();
    if (expected != null && expected > 0) {
      return Math.min(1, ((double) batch.success() + batch.failures()) / expected);
    }
    return (double) ended(batch) / Math.max(1, batch.tasks());
  }

  private static long ended(BatchSummary batch) {
    return batch.count(DisplayStatus.SUCCESS)
        + batch.count(DisplayStatus.FAILURE)
        + batch.count(DisplayStatus.CANCELED);
  }

  private static @Nullable String outcome(BatchSummary batch) {
    return batch.endedAt() == null ? null : endStatus(batch).text();
  }

  private static DisplayStatus endStatus(BatchSummary batch) {
    return Stream.of(DisplayStatus.FAILURE, DisplayStatus.CANCELED)
        .filter(status -> batch.count(status) > 0)
        .findFirst()
        .orElse(DisplayStatus.SUCCESS);
  }

  /** The status of the whole batch, as if it were a task. */
  static DisplayStatus status(BatchSummary batch) {
    if (batch.stoppedAt() == null && nextRunAt(batch) != null) {
      return DisplayStatus.RETRY_PENDING;
    }
    return batch.endedAt() == null ? DisplayStatus.RUNNING : endStatus(batch);
  }

  static ObjectNode of(UUID batch, BatchStopResult stopped) {
    ObjectNode json = NODES.objectNode().put("batch_id", batch.toString());
    Stream.of(DisplayStatus.values())
        .filter(status -> status.states().stream().allMatch(state -> state.isLive()))
        .forEach(status -> json.put("canceled_" + status.text(), stopped.canceled(status)));
    return json.put("already_terminal", stopped.alreadyEnded());
  }
}
