// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import java.util.UUID;
import tools.jackson.databind.JsonNode;

/**
 * What stopping a batch did, by the status that its tasks had.
 *
 * @param alreadyEnded tasks that had ended before
 */
public record BatchStopResponse(
    UUID batchId,
    long canceledWaiting,
    long canceledPending,
    long canceledClaimed,
    long canceledRunning,
    long canceledRetryPending,
    long canceledPaused,
    long canceledParked,
    long alreadyEnded) {

  /** Reads the server's JSON. */
  public static BatchStopResponse of(JsonNode json) {
    JsonFields result = new JsonFields(json);
    return new BatchStopResponse(
        result.required("batch_id", result::id),
        result.count("canceled_waiting"),
        result.count("canceled_pending"),
        result.count("canceled_claimed"),
        result.count("canceled_running"),
        result.count("canceled_retry_pending"),
        result.count("canceled_paused"),
        result.count("canceled_parked"),
        result.count("already_terminal"));
  }

  /** The number of tasks that were canceled. */
  public long canceled() {
    return canceledWaiting
        + canceledPending
        + canceledClaimed
        + canceledRunning
        + canceledRetryPending
        + canceledPaused
        + canceledParked;
  }
}
