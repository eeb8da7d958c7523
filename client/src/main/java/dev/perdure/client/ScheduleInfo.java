// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A schedule as the server shows it. Lists leave out {@code task}, {@code batch}, {@code retry},
 * {@code retryDescription}, {@code notifications}, {@code nextFirings} and {@code lastFirings}.
 * After a change, {@code last}, {@code lastFirings} and {@code retriesUnderWay} are missing if the
 * server could not read them just then.
 *
 * @param trigger when it fires, as JSON
 * @param description when it fires, in words
 * @param enabled false while it is paused
 * @param overlap what it does at a firing while it is busy: "skip", "queue" or "allow"
 * @param misfire what it does after missed firings: {@code fire_once} or {@code skip}
 * @param version changes with every edit
 * @param nextAt the next firing; null while it is paused
 * @param queued how many firings wait until it is no longer busy
 * @param problem why it could not fire when it was last due; null when it could
 * @param last the last firing; null before the first one
 * @param retriesUnderWay its tasks that have failed and are tried again
 * @param task the task that it submits; null if it submits a batch
 * @param retryDescription the retry policy in words
 * @param nextFirings the next ten
 * @param lastFirings the last twenty, newest first
 */
public record ScheduleInfo(
    UUID id,
    String name,
    JsonNode trigger,
    String description,
    boolean enabled,
    String overlap,
    String misfire,
    long version,
    @Nullable Instant nextAt,
    long queued,
    @Nullable String problem,
    Instant createdAt,
    Instant updatedAt,
    @Nullable FiringInfo last,
    List<RetryUnderWay> retriesUnderWay,
    @Nullable JsonNode task,
    @Nullable JsonNode batch,
    @Nullable JsonNode retry,
    @Nullable String retryDescription,
    List<JsonNode> notifications,
    List<Instant> nextFirings,
    List<FiringInfo> lastFirings) {

  /** Reads a schedule; throws a RuntimeException when the JSON is not a schedule. */
  public static ScheduleInfo of(JsonNode json) {
    JsonFields schedule = new JsonFields(json);
    return new ScheduleInfo(
        schedule.required("id", schedule::id),
        schedule.required("name", schedule::text),
        schedule.required("trigger", schedule::node),
        schedule.required("description", schedule::text),
        schedule.flag("enabled"),
        schedule.required("overlap", schedule::text),
        schedule.required("misfire", schedule::text),
        schedule.required("version", schedule::number),
        schedule.instant("next_at"),
        schedule.count("queued"),
        schedule.text("problem"),
        schedule.required("created_at", schedule::instant),
        schedule.required("updated_at", schedule::instant),
        schedule.read("last", FiringInfo::of),
        schedule.list("retry_under_way", RetryUnderWay::of),
        schedule.node("task"),
        schedule.node("batch"),
        schedule.node("retry"),
        schedule.text("retry_description"),
        schedule.list("notify", entry -> entry),
        schedule.list("next_firings", instant -> Instant.parse(instant.asString())),
        schedule.list("last_firings", FiringInfo::of));
  }

  /** Without task and batch, which may hold secrets. */
  @Override
  public String toString() {
    return "ScheduleInfo[id=%s, name=%s, trigger=%s]".formatted(id, name, trigger);
  }
}
