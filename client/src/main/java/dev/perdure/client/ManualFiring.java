// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What a schedule submitted when it was triggered by hand.
 *
 * @param task null if the schedule submits a batch, or the server could not read the task just then
 */
public record ManualFiring(UUID batchId, @Nullable UUID task) {

  /** Reads the server's JSON. */
  public static ManualFiring of(JsonNode json) {
    JsonFields firing = new JsonFields(json);
    return new ManualFiring(firing.required("batch_id", firing::id), firing.id("task"));
  }
}
