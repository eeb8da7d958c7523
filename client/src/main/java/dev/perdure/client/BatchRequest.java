// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import dev.perdure.policy.RetryPolicy;
import dev.perdure.policy.json.PolicyJson;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Tasks to submit together, with what concerns all of them: immutable, each method returns a
 * changed copy.
 *
 * <pre>{@code
 * BatchRequest.of(
 *         TaskRequest.of("import").localId("import"), TaskRequest.of("report").after("import"))
 *     .name("nightly")
 *     .retry(RetryPolicy.queue());
 * }</pre>
 */
public final class BatchRequest {

  private final ObjectNode json;

  private BatchRequest(ObjectNode json) {
    this.json = json;
  }

  /** A batch of these tasks, at least one. */
  public static BatchRequest of(TaskRequest... tasks) {
    return of(List.of(tasks));
  }

  /** A batch of these tasks, at least one. */
  public static BatchRequest of(List<TaskRequest> tasks) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.set("tasks", TaskRequest.toJson(tasks));
    return new BatchRequest(json);
  }

  private BatchRequest with(String field, JsonNode value) {
    ObjectNode copy = JsonNodeFactory.instance.objectNode();
    copy.setAll(json);
    copy.set(field, value);
    return new BatchRequest(copy);
  }

  /** A name for people. */
  public BatchRequest name(String value) {
    return with("name", JsonNodeFactory.instance.stringNode(value));
  }

  /** When the whole batch runs again after one of its tasks has failed. */
  public BatchRequest retry(RetryPolicy policy) {
    return with("retry", PolicyJson.write(policy));
  }

  /** The batch's retry policy as JSON, in any dialect that the server reads. */
  public BatchRequest retryJson(String text) {
    return with("retry", JsonMapper.shared().readTree(text));
  }

  /**
   * What every task of the batch can read.
   *
   * @param value any object that Jackson can write, up to 64 KiB of JSON
   */
  public BatchRequest context(Object value) {
    return with("context", JsonMapper.shared().<JsonNode>valueToTree(value));
  }

  /** Sent once, when every task has succeeded. */
  public BatchRequest onSuccess(Webhook... webhooks) {
    return with("on_success", Webhook.toJson(webhooks));
  }

  /** Sent once, when the batch has failed for good. */
  public BatchRequest onFailure(Webhook... webhooks) {
    return with("on_failure", Webhook.toJson(webhooks));
  }

  /** Sent once, when the batch is final, whatever its outcome. */
  public BatchRequest onFinished(Webhook... webhooks) {
    return with("on_finished", Webhook.toJson(webhooks));
  }

  /** Tells a channel of the server about these events; each call adds to those before. */
  public BatchRequest notifyChannel(String channel, NotifyOn... events) {
    return with("notify", NotifyOn.add(json.path("notify"), channel, events));
  }

  /** Whether a live parent is canceled once all its children have ended; the server's default. */
  public BatchRequest deadEndCancel(boolean value) {
    return with("dead_end_cancel", JsonNodeFactory.instance.booleanNode(value));
  }

  /** Batches with the same key can depend on each other's tasks. */
  public BatchRequest shardKey(String value) {
    return with("shard_key", JsonNodeFactory.instance.stringNode(value));
  }

  /** The body of a submission. */
  JsonNode toJson() {
    return json;
  }

  /** Without context, payloads and webhooks, which may hold secrets. */
  @Override
  public String toString() {
    return "BatchRequest[name=%s, tasks=%d]"
        .formatted(json.path("name").asString(""), json.path("tasks").size());
  }
}
