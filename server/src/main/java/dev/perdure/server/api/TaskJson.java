// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.AttemptNote;
import dev.perdure.engine.task.Definition;
import dev.perdure.engine.task.Ending;
import dev.perdure.engine.task.Hold;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskState;
import dev.perdure.engine.task.Times;
import dev.perdure.policy.Backoff;
import dev.perdure.policy.Failure;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.policy.json.PolicyJson;
import dev.perdure.server.http.InstantText;
import dev.perdure.server.webhook.KeptActions;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Writes tasks and attempts. What is not known is null, so that every task has every field. */
final class TaskJson {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /** Numbers come out as they went in, however many digits they have. */
  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

  private TaskJson() {}

  static ArrayNode of(List<Task> tasks) {
    ArrayNode array = NODES.arrayNode();
    tasks.forEach(task -> array.add(of(task)));
    return array;
  }

  static ObjectNode of(Task task) {
    Definition definition = task.definition();
    ObjectNode json = row(task);
    json.set("payload", MAPPER.readTree(definition.payload()));
    json.set("actions", KeptActions.shown(definition.actions()));
    json.set("result", tree(task.ending().result()));
    return json;
  }

  /**
   * As it stands in a list: without what may be megabytes each, since a page has up to a thousand.
   */
  static ObjectNode row(Task task) {
    Definition definition = task.definition();
    ObjectNode json =
        NODES
            .objectNode()
            .put("id", task.id().toString())
            .put("local_id", definition.localId())
            .put("batch_id", task.batch().toString())
            .put("run", task.run())
            .put("name", definition.name())
            .put("kind", definition.kind())
            .put("status", StatusNames.of(task))
            .put("attempt", task.counting().attempt())
            .put("epoch", task.epoch())
            .put("trace_id", task.trace().traceId());
    json.set("metadata", tree(definition.metadata()));
    json.set("retry", tree(definition.policy()));
    retries(json, task);
    json.put("timeout", definition.timeout() == null ? null : definition.timeout().toSeconds())
        .put("deadline", InstantText.of(definition.deadline()))
        .put("priority", definition.priority())
        .put("paused", task.paused())
        .put("parked", Hold.has(task.hold(), Hold.PARKED))
        .put("losses", task.counting().losses())
        .put("worker", task.worker());
    counts(json, task);
    failure(json, task.ending());
    times(json, task.times());
    return json;
  }

  /** How a task stands, for somebody who was called for it and need not know what it holds. */
  static ObjectNode standing(Task task) {
    ObjectNode json =
        NODES
            .objectNode()
            .put("id", task.id().toString())
            .put("status", StatusNames.of(task))
            .put("attempt", task.counting().attempt());
    retries(json, task);
    failure(json, task.ending());
    return json;
  }

  private static void retries(ObjectNode json, Task task) {
    boolean waits = task.state() == TaskState.RETRY_PENDING;
    json.put("next_retry_at", waits ? InstantText.of(task.times().dueAt()) : null)
        .put("retries_left", retriesLeft(task));
  }

  /** Null when there is no end to them. */
  private static @Nullable Long retriesLeft(Task task) {
    String text = task.definition().policy();
    if (text == null) {
      return 0L;
    }
    RetryPolicy policy = PolicyJson.read(text);
    Long most =
        policy.maxRetries().unlimited()
            ? steps(policy)
            : (Long) (long) policy.maxRetries().retries();
    return most == null ? null : (Long) Math.max(0, most - task.counting().policyAttempt());
  }

  private static @Nullable Long steps(RetryPolicy policy) {
    return policy.backoff() instanceof Backoff.Ladder ladder && !ladder.endless()
        ? (Long) ladder.steps().stream().mapToLong(Backoff.Step::count).sum()
        : null;
  }

  private static void counts(ObjectNode json, Task task) {
    json.put("success", task.progress().success())
        .put("failures", task.progress().failures())
        .put("expected_count", task.progress().expected());
  }

  private static void failure(ObjectNode json, Ending ending) {
    json.put("failure_kind", ending.failureKind())
        .put("failure_reason", ending.failureReason())
        .put("failure_code", ending.failureCode())
        .put("give_up_reason", ending.giveUpReason() == null ? null : ending.giveUpReason().text());
  }

  private static void times(ObjectNode json, Times times) {
    json.put("created_at", InstantText.of(times.createdAt()))
        .put("run_at", InstantText.of(times.dueAt()))
        .put("started_at", InstantText.of(times.startedAt()))
        .put("ended_at", InstantText.of(times.endedAt()))
        .put("last_updated", InstantText.of(times.updatedAt()));
  }

  static ArrayNode attempts(List<Attempt> attempts) {
    ArrayNode array = NODES.arrayNode();
    attempts.forEach(attempt -> array.add(attempt(attempt)));
    return array;
  }

  private static ObjectNode attempt(Attempt attempt) {
    AttemptNote note = attempt.note();
    ObjectNode json =
        NODES
            .objectNode()
            .put("number", attempt.number())
            .put("epoch", attempt.epoch())
            .put("worker", attempt.worker())
            .put("started_at", InstantText.of(attempt.startedAt()))
            .put("ended_at", InstantText.of(attempt.endedAt()))
            .put("outcome", note.outcome().text())
            .put("failure_kind", note.failureKind())
            .put("status", note.status() == Failure.NO_STATUS ? null : (Integer) note.status())
            .put("code", note.code())
            .put("message", note.message())
            .put("stack", note.stack())
            .put("delay_ms", note.delay() == null ? null : (Long) note.delay().toMillis())
            .put("next_at", InstantText.of(attempt.nextAt()));
    note.exceptionTypes().forEach(json.putArray("exception_types")::add);
    return json;
  }

  private static JsonNode tree(@Nullable String text) {
    return text == null ? NODES.nullNode() : MAPPER.readTree(text);
  }
}
