// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What retrying a batch did.
 *
 * @param run the run that goes on, or the new one
 * @param revived the number of tasks that run again
 * @param nextRunAt when the new run starts; null when it has started, or when there is none
 */
public record BatchRetryResponse(
    UUID batchId, long run, long revived, @Nullable Instant nextRunAt) {

  /** Reads the server's JSON. */
  public static BatchRetryResponse of(JsonNode json) {
    JsonFields result = new JsonFields(json);
    return new BatchRetryResponse(
        result.required("batch_id", result::id),
        result.required("run", result::number),
        result.count("revived"),
        result.instant("next_run_at"));
  }
}
