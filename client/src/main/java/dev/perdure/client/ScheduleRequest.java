// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import dev.perdure.policy.RetryPolicy;
import dev.perdure.policy.json.PolicyJson;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A schedule to create, or changes to one: immutable, each method returns a changed copy.
 *
 * <pre>{@code
 * ScheduleRequest.of(
 *         "nightly",
 *         ScheduleTrigger.at(LocalTime.of(2, 0), ZoneId.of("Europe/Paris")),
 *         TaskRequest.of("import"))
 *     .retry(RetryPolicy.queue());
 * }</pre>
 */
public final class ScheduleRequest {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final String TASK = "task";
  private static final String BATCH = "batch";
  private static final String NOTIFY = "notify";

  private final ObjectNode json;

  private ScheduleRequest(ObjectNode json) {
    this.json = json;
  }

  /** A schedule that submits a task each time it fires. */
  public static ScheduleRequest of(String name, ScheduleTrigger trigger, TaskRequest task) {
    return changes().name(name).trigger(trigger).task(task);
  }

  /** A schedule that submits a batch each time it fires. */
  public static ScheduleRequest of(String name, ScheduleTrigger trigger, BatchRequest batch) {
    return changes().name(name).trigger(trigger).batch(batch);
  }

  /** No changes yet; for {@link ScheduleClient#patch}. */
  public static ScheduleRequest changes() {
    return new ScheduleRequest(NODES.objectNode());
  }

  private ScheduleRequest with(String field, JsonNode value) {
    ObjectNode copy = NODES.objectNode();
    copy.setAll(json);
    copy.set(field, value);
    return new ScheduleRequest(copy);
  }

  private ScheduleRequest name(String value) {
    return with("name", NODES.stringNode(value));
  }

  public ScheduleRequest trigger(ScheduleTrigger value) {
    return with("trigger", value.toJson());
  }

  public ScheduleRequest task(TaskRequest value) {
    ScheduleRequest changed = with(TASK, value.toJson());
    changed.json.remove(BATCH);
    return changed;
  }

  public ScheduleRequest batch(BatchRequest value) {
    ScheduleRequest changed = with(BATCH, value.toJson());
    changed.json.remove(TASK);
    return changed;
  }

  /** The retry policy of its tasks; for a batch, when the whole batch runs again. */
  public ScheduleRequest retry(RetryPolicy policy) {
    return with("retry", PolicyJson.write(policy));
  }

  /** The retry policy as JSON, in any dialect that the server reads. */
  public ScheduleRequest retryJson(String text) {
    return with("retry", JsonMapper.shared().readTree(text));
  }

  /** Removes the retry policy. */
  public ScheduleRequest withoutRetry() {
    return with("retry", NODES.nullNode());
  }

  /** Whether it fires; false creates a paused schedule. */
  public ScheduleRequest enabled(boolean value) {
    return with("enabled", NODES.booleanNode(value));
  }

  /** What it does at a firing while it is busy: {@code skip}, {@code queue} or {@code allow}. */
  public ScheduleRequest overlap(String value) {
    return with("overlap", NODES.stringNode(value));
  }

  /** What it does after missed firings: {@code fire_once} or {@code skip}. */
  public ScheduleRequest misfire(String value) {
    return with("misfire", NODES.stringNode(value));
  }

  /** Who is notified of what, as JSON: an array of {@code on} and {@code channel}. */
  public ScheduleRequest notificationsJson(String text) {
    return with(NOTIFY, JsonMapper.shared().readTree(text));
  }

  /** Tells a channel of the server about these events; each call adds to those before. */
  public ScheduleRequest notifyChannel(String channel, NotifyOn... events) {
    return with(NOTIFY, NotifyOn.add(json.path(NOTIFY), channel, events));
  }

  /** Removes all notifications. */
  public ScheduleRequest withoutNotifications() {
    return with(NOTIFY, NODES.nullNode());
  }

  /** Makes the change a conflict unless the schedule still has this version. */
  public ScheduleRequest version(long value) {
    return with("version", NODES.numberNode(value));
  }

  /** The body of a request. */
  JsonNode toJson() {
    return json;
  }

  /** Without task and batch, which may hold secrets. */
  @Override
  public String toString() {
    return "ScheduleRequest[name=%s, trigger=%s]"
        .formatted(json.path("name").asString(""), json.path("trigger"));
  }
}
