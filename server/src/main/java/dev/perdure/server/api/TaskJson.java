// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.query.ParentTask;
import dev.perdure.engine.task.DependencyOutcome;
import dev.perdure.engine.task.DisplayStatus;
import dev.perdure.engine.task.Progress;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskDefinition;
import dev.perdure.engine.task.TaskGiveUpReason;
import dev.perdure.engine.task.TaskHeader;
import dev.perdure.engine.task.TaskRow;
import dev.perdure.engine.task.TaskTimes;
import dev.perdure.policy.InstantText;
import dev.perdure.policy.InvalidPolicyException;
import dev.perdure.policy.LadderPosition;
import dev.perdure.policy.explain.PolicyWords;
import dev.perdure.policy.json.PolicyJson;
import dev.perdure.server.webhook.StoredActions;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Writes tasks as JSON. Every task has every field; unknown values are null. */
final class TaskJson {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /** Keeps all digits of numbers. */
  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

  private static final List<String> DETAILS =
      List.of(
          "local_id",
          "name",
          "metadata",
          "retry",
          "retry_canonical",
          "worker",
          "failure_kind",
          "failure_reason",
          "failure_code",
          "give_up_reason",
          "error");

  private TaskJson() {}

  static ObjectNode of(Task task) {
    TaskDefinition definition = task.definition();
    ObjectNode json = row(task.row());
    json.put("retry_words", retryWords(definition.policy()));
    json.set("payload", parseStored(definition.payload()));
    json.set("rules", rules(definition));
    json.set("actions", StoredActions.redacted(definition.actions()));
    json.set("notify", StoredActions.notifications(definition.actions()));
    json.set("result", parseStored(task.lastResult().result()));
    json.put("dedupe_key", definition.dedupeKey());
    return json;
  }

  static @Nullable String retryWords(@Nullable String policy) {
    try {
      return policy == null ? null : PolicyWords.of(PolicyJson.read(policy));
    } catch (InvalidPolicyException unreadable) {
      return null;
    }
  }

  /** The row without what its submitter and its worker have written. */
  static ObjectNode withoutDetails(ObjectNode row) {
    DETAILS.forEach(row::putNull);
    row.remove("trace_id");
    return row;
  }

  /** As they were submitted. */
  private static JsonNode rules(TaskDefinition definition) {
    return definition.rules() == null ? NODES.arrayNode() : parseStored(definition.rules());
  }

  /** A task as a list shows it, without payload, rules, actions and result. */
  static ObjectNode row(TaskRow task) {
    TaskHeader header = task.header();
    ObjectNode json =
        NODES
            .objectNode()
            .put("id", task.id().toString())
            .put("local_id", header.localId())
            .put("batch_id", task.batch().toString())
            .put("run", task.run())
            .put("name", header.name())
            .put("kind", header.kind())
            .put("status", task.status().toString())
            .put("attempt", task.retryCounters().attempt())
            .put("epoch", task.epoch())
            .put("trace_id", task.trace().traceId());
    json.set("metadata", parseStored(header.metadata()));
    String given = header.policyAsGiven();
    json.set("retry", parseStored(given == null ? header.policy() : given));
    json.set("retry_canonical", parseStored(header.policy()));
    retries(json, task);
    LadderPosition position = task.ladderPosition();
    json.put("badge", position == null ? null : position.text());
    json.set("place", place(task.place()));
    json.put("timeout", header.timeout() == null ? null : header.timeout().toSeconds())
        .put("deadline", InstantText.of(header.deadline()))
        .put("priority", header.priority())
        .put("paused", task.paused())
        .put("parked", task.parked())
        .put("losses", task.retryCounters().losses())
        .put("worker", task.worker())
        .put("dependencies_unmet", task.dependencies().unmet());
    counters(json, task.progress());
    failure(json, task.failure());
    times(json, task.times());
    return json;
  }

  /** The step of a ladder and the attempt within it; {@code of} is null for an endless step. */
  static JsonNode place(@Nullable LadderPosition position) {
    return position == null
        ? NODES.nullNode()
        : NODES
            .objectNode()
            .put("step", position.step())
            .put("steps", position.steps())
            .put("attempt", position.retry())
            .put("of", position.endless() ? null : (Long) position.count());
  }

  /** The status of a task, for a callee, which must not see the payload. */
  static ObjectNode statusSummary(Task task) {
    ObjectNode json =
        NODES
            .objectNode()
            .put("id", task.id().toString())
            .put("status", task.status().toString())
            .put("attempt", task.retryCounters().attempt());
    retries(json, task.row());
    failure(json, task.row().failure());
    return json;
  }

  private static void retries(ObjectNode json, TaskRow task) {
    json.put("next_retry_at", InstantText.of(task.nextRetryAt()))
        .put("retries_left", task.retriesLeft());
  }

  private static void counters(ObjectNode json, Progress progress) {
    json.put("success", progress.success())
        .put("failures", progress.failures())
        .put("expected_count", progress.expected());
  }

  private static void failure(ObjectNode json, TaskRow.LastFailure failure) {
    TaskGiveUpReason reason = failure.giveUpReason();
    json.put("failure_kind", failure.kind())
        .put("failure_reason", failure.reason())
        .put("failure_code", failure.code())
        .put("give_up_reason", reason == null ? null : reason.text())
        .put("error", failure.error());
  }

  private static void times(ObjectNode json, TaskTimes times) {
    json.put("created_at", InstantText.of(times.createdAt()))
        .put("run_at", InstantText.of(times.dueAt()))
        .put("started_at", InstantText.of(times.startedAt()))
        .put("ended_at", InstantText.of(times.endedAt()))
        .put("last_updated", InstantText.of(times.updatedAt()));
  }

  /** The tasks that a task depends on. */
  static ArrayNode dependencies(List<ParentTask> parents) {
    ArrayNode array = NODES.arrayNode();
    for (ParentTask parent : parents) {
      DependencyOutcome outcome = outcome(parent);
      array
          .addObject()
          .put("id", parent.id().toString())
          .put("local_id", parent.localId())
          .put("name", parent.name())
          .put("status", parent.status().toString())
          .put("requires_success", parent.requiresSuccess())
          .put("outcome", outcome == null ? null : outcome.name().toLowerCase(Locale.ROOT));
    }
    return array;
  }

  /**
   * A dependency that does not require success keeps the outcome that satisfied it. If the parent
   * had failed then and has been resolved or retried since, people want to see that.
   */
  private static @Nullable DependencyOutcome outcome(ParentTask parent) {
    boolean succeededSince =
        !parent.requiresSuccess()
            && parent.outcome() == DependencyOutcome.FAILED
            && parent.status() == DisplayStatus.SUCCESS;
    return succeededSince ? DependencyOutcome.SUCCEEDED : parent.outcome();
  }

  /** Parses JSON from the store; a JSON null for null. */
  static JsonNode parseStored(@Nullable String text) {
    return text == null ? NODES.nullNode() : MAPPER.readTree(text);
  }
}
