// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * One firing of a schedule.
 *
 * @param scheduledFor the instant that the trigger gave, or when it was triggered by hand
 * @param firedAt when it was decided
 * @param manual whether it was triggered by hand
 * @param outcome {@code fired}, {@code skipped}, {@code missed} or {@code queued}
 * @param missed how many missed firings it stands for
 * @param task the task that it submitted; null for a batch, and if it did not fire
 * @param status the status of what it submitted; null if it did not fire or that is gone
 */
public record FiringInfo(
    Instant scheduledFor,
    @Nullable Instant firedAt,
    boolean manual,
    String outcome,
    long missed,
    @Nullable UUID task,
    @Nullable UUID batchId,
    @Nullable String status) {

  static FiringInfo of(JsonNode json) {
    JsonFields firing = new JsonFields(json);
    return new FiringInfo(
        firing.required("scheduled_for", firing::instant),
        firing.instant("fired_at"),
        firing.flag("manual"),
        firing.required("outcome", firing::text),
        firing.count("missed"),
        firing.id("task"),
        firing.id("batch_id"),
        firing.text("status"));
  }
}
