// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads and changes schedules; see {@link PerdureClient#schedules}. Wherever a method takes a
 * schedule, give its name or its id. Thread-safe.
 */
public final class ScheduleClient {

  private static final String PATCH = "PATCH";

  private final PerdureClient client;

  ScheduleClient(PerdureClient client) {
    this.client = client;
  }

  /** The first schedules; at most 100 on a page. */
  public Page<ScheduleInfo> list(int pageSize) {
    return page(Map.of("page_size", Integer.toString(pageSize)));
  }

  /**
   * More schedules.
   *
   * @param after {@link Page#next} of an earlier page
   */
  public Page<ScheduleInfo> list(int pageSize, String after) {
    return page(Map.of("page_size", Integer.toString(pageSize), "after", after));
  }

  private Page<ScheduleInfo> page(Map<String, String> query) {
    return client.get("/schedule", query).page(ScheduleInfo::of);
  }

  /** The schedule with its next and last firings. */
  public ScheduleInfo get(String schedule) {
    return client.get(path(schedule), Map.of()).read(ScheduleInfo::of);
  }

  /** The same; empty when there is no such schedule. */
  public Optional<ScheduleInfo> find(String schedule) {
    return PerdureClient.find(() -> get(schedule));
  }

  /** Creates a schedule. A conflict if there is one with this name. */
  public ScheduleInfo create(ScheduleRequest request) {
    return send("POST", "/schedule", request.toJson(), ScheduleInfo::of);
  }

  /** Replaces everything: what the request leaves out gets its default. */
  public ScheduleInfo update(String schedule, ScheduleRequest request) {
    return send("PUT", path(schedule), request.toJson(), ScheduleInfo::of);
  }

  /** Changes what the request has, and nothing else. */
  public ScheduleInfo patch(String schedule, ScheduleRequest changes) {
    return send(PATCH, path(schedule), changes.toJson(), ScheduleInfo::of);
  }

  /** Stops firing until it is resumed. Tasks that it has submitted go on. */
  public ScheduleInfo pause(String schedule) {
    return patch(schedule, ScheduleRequest.changes().enabled(false));
  }

  /** Fires again from now on, without catching up. */
  public ScheduleInfo resume(String schedule) {
    return patch(schedule, ScheduleRequest.changes().enabled(true));
  }

  /** Fires now, also when it is paused or busy. Repeating it fires again. */
  public ManualFiring trigger(String schedule) {
    return send("POST", path(schedule) + "/trigger", null, ManualFiring::of);
  }

  /**
   * Deletes a schedule and cancels its live tasks. Repeating it is safe.
   *
   * @return what was deleted; empty when there was no such schedule
   */
  public Optional<DeletedSchedule> delete(String schedule) {
    return PerdureClient.find(() -> send("DELETE", path(schedule), null, DeletedSchedule::of));
  }

  /**
   * Cancels all retries under way. The schedule goes on.
   *
   * @return how many tasks were canceled
   */
  public long cancelRetries(String schedule) {
    return cancel(path(schedule) + "/retry");
  }

  /** Cancels the retry of one task; returns 0 if it was not under way. */
  public long cancelRetry(String schedule, UUID task) {
    return cancel("%s/retry?task=%s".formatted(path(schedule), task));
  }

  private long cancel(String path) {
    return send("DELETE", path, null, json -> json.required("canceled").asLong());
  }

  /**
   * Says when a trigger fires, without storing anything.
   *
   * @param count how many firings to list
   */
  public SchedulePreview preview(ScheduleTrigger trigger, int count) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.set("trigger", trigger.toJson());
    return send("POST", "/schedule/preview", body.put("count", count), SchedulePreview::of);
  }

  private <T> T send(
      String method, String path, @Nullable JsonNode body, Function<JsonNode, T> reader) {
    return client.send(method, path, body).requireResult().read(reader);
  }

  private static String path(String schedule) {
    if (schedule.isEmpty()) {
      throw new IllegalArgumentException("schedule: must be a name or an id");
    }
    return "/schedule/" + PerdureClient.encode(schedule);
  }
}
