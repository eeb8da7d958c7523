// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The result of a bulk request.
 *
 * @param matched tasks that matched the filter
 * @param changed tasks that were changed, or would be in a dry run
 * @param skipped tasks whose state did not allow it
 * @param next where to continue; null when every match was handled
 */
public record BulkResult(long matched, long changed, long skipped, @Nullable String next) {

  /** Reads the server's JSON. */
  public static BulkResult of(JsonNode json) {
    JsonFields counts = new JsonFields(json);
    return new BulkResult(
        counts.required("matched", counts::number),
        counts.required("changed", counts::number),
        counts.required("skipped", counts::number),
        counts.text("next"));
  }

  /** This result together with that of the next request. */
  public BulkResult plus(BulkResult next) {
    return new BulkResult(
        matched + next.matched, changed + next.changed, skipped + next.skipped, next.next);
  }
}
