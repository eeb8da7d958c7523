// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import dev.perdure.policy.RetryPolicy;
import dev.perdure.policy.json.PolicyJson;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A task to submit: immutable, each method returns a changed copy. The server checks the fields and
 * reports every invalid one in an {@link ApiException}.
 *
 * <pre>{@code
 * TaskRequest.of("send-email", new Email("ada@example.org")).retry(RetryPolicy.queue());
 * }</pre>
 */
public final class TaskRequest {

  private static final JsonMapper MAPPER = JsonMapper.shared();

  private final ObjectNode json;

  private TaskRequest(ObjectNode json) {
    this.json = json;
  }

  /**
   * A task that is due at once and never retried.
   *
   * @param payload any object that Jackson can write, or a {@link JsonNode}
   */
  public static TaskRequest of(String kind, @Nullable Object payload) {
    TaskRequest task = of(kind);
    return payload == null ? task : task.with("payload", MAPPER.valueToTree(payload));
  }

  /** A task without a payload. */
  public static TaskRequest of(String kind) {
    return new TaskRequest(JsonNodeFactory.instance.objectNode().put("kind", kind));
  }

  private TaskRequest with(String field, JsonNode value) {
    ObjectNode copy = json.deepCopy();
    copy.set(field, value);
    return new TaskRequest(copy);
  }

  private TaskRequest with(String field, String value) {
    return with(field, JsonNodeFactory.instance.stringNode(value));
  }

  private TaskRequest with(String field, long value) {
    return with(field, JsonNodeFactory.instance.numberNode(value));
  }

  /** The payload as JSON text. */
  public TaskRequest payloadJson(String text) {
    return with("payload", MAPPER.readTree(text));
  }

  /** A name for people. */
  public TaskRequest name(String value) {
    return with("name", value);
  }

  /** Your own id of the task, unique within a submission. */
  public TaskRequest localId(String value) {
    return with("local_id", value);
  }

  /** Values to filter by. */
  public TaskRequest metadata(Map<String, ?> value) {
    return with("metadata", MAPPER.<JsonNode>valueToTree(value));
  }

  public TaskRequest retry(RetryPolicy policy) {
    return with("retry", PolicyJson.write(policy));
  }

  /** The retry policy as JSON, in any dialect that the server reads. */
  public TaskRequest retryJson(String text) {
    return with("retry", MAPPER.readTree(text));
  }

  /** When the task is due; at once unless set. */
  public TaskRequest runAt(Instant value) {
    return with("run_at", value.toString());
  }

  /** How long an attempt may go without a heartbeat, in whole seconds. */
  public TaskRequest timeout(Duration value) {
    return with("timeout", value.toSeconds());
  }

  /** When the task fails for good, whatever its state. */
  public TaskRequest deadline(Instant value) {
    return with("deadline", value.toString());
  }

  /** From −1000 to 1000; each step weighs as much as a second of waiting. */
  public TaskRequest priority(int value) {
    return with("priority", value);
  }

  /** Starts after these tasks of the same submission have succeeded; fails when one fails. */
  public TaskRequest after(String... localIds) {
    return dependingOn(Stream.of(localIds), true);
  }

  /** Starts after these existing tasks have succeeded; fails when one of them fails. */
  public TaskRequest after(UUID... tasks) {
    return dependingOn(Stream.of(tasks), true);
  }

  /** Starts after these tasks of the same submission have ended, whatever their outcome. */
  public TaskRequest afterEvenIfFailed(String... localIds) {
    return dependingOn(Stream.of(localIds), false);
  }

  /** Starts after these existing tasks have ended, whatever their outcome. */
  public TaskRequest afterEvenIfFailed(UUID... tasks) {
    return dependingOn(Stream.of(tasks), false);
  }

  private TaskRequest dependingOn(Stream<?> parents, boolean requiresSuccess) {
    ObjectNode copy = json.deepCopy();
    ArrayNode dependencies = copy.withArray("dependencies");
    parents.forEach(
        parent ->
            dependencies
                .addObject()
                .put("id", parent.toString())
                .put("requires_success", requiresSuccess));
    return new TaskRequest(copy);
  }

  /** The number of items that progress reports add up to. */
  public TaskRequest expectedCount(long value) {
    return with("expected_count", value);
  }

  /**
   * At most one live task has this key. If there is one, this task is not stored, and the response
   * has the live one in its place; see {@link SubmitResponse#isDuplicate}.
   */
  public TaskRequest dedupeKey(String key) {
    return with("dedupe_key", key);
  }

  /**
   * If the live task with the {@linkplain #dedupeKey dedupe key} has never been claimed, it takes
   * the payload, the due instant and the retry policy of this one.
   */
  public TaskRequest replaceDuplicate() {
    return with("dedupe", "replace");
  }

  /** Adds a limit; the task starts when all its limits allow it. */
  public TaskRequest limit(LimitRequest limit) {
    ObjectNode copy = json.deepCopy();
    copy.withArray("rules").add(limit.toJson());
    return new TaskRequest(copy);
  }

  /** The webhook that does the work. Without one, a worker must claim the task. */
  public TaskRequest onStart(Webhook webhook) {
    return with("on_start", webhook.toJson());
  }

  public TaskRequest onSuccess(Webhook... webhooks) {
    return with("on_success", Webhook.toJson(webhooks));
  }

  /** Sent once, when the task fails for good. */
  public TaskRequest onFailure(Webhook... webhooks) {
    return with("on_failure", Webhook.toJson(webhooks));
  }

  /** Sent each time a retry is scheduled. */
  public TaskRequest onRetry(Webhook... webhooks) {
    return with("on_retry", Webhook.toJson(webhooks));
  }

  public TaskRequest onCancel(Webhook... webhooks) {
    return with("on_cancel", Webhook.toJson(webhooks));
  }

  /** Tells a channel of the server about these events; each call adds to those before. */
  public TaskRequest notifyChannel(String channel, NotifyOn... events) {
    return with("notify", NotifyOn.add(json.path("notify"), channel, events));
  }

  /** The body of a submission. */
  static ArrayNode toJson(List<TaskRequest> tasks) {
    if (tasks.isEmpty()) {
      throw new IllegalArgumentException("tasks: must contain at least one task");
    }
    ArrayNode body = JsonNodeFactory.instance.arrayNode();
    tasks.forEach(task -> body.add(task.toJson()));
    return body;
  }

  JsonNode toJson() {
    return json;
  }

  /** Without payload and webhooks, which may hold secrets. */
  @Override
  public String toString() {
    return "TaskRequest[kind=%s, name=%s, localId=%s]"
        .formatted(text("kind"), text("name"), text("local_id"));
  }

  private String text(String field) {
    return json.path(field).asString("");
  }
}
