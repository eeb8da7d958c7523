// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * One run of a batch.
 *
 * @param run its number, from 0
 * @param outcome such as {@code success} or {@code failure}; null while it is not over
 * @param failure the failure that the batch's policy decided about
 */
public record BatchRunInfo(
    long run,
    @Nullable Instant startedAt,
    @Nullable Instant endedAt,
    @Nullable String outcome,
    @Nullable JsonNode failure) {

  static BatchRunInfo of(JsonNode json) {
    JsonFields run = new JsonFields(json);
    return new BatchRunInfo(
        run.required("run", run::number),
        run.instant("started_at"),
        run.instant("ended_at"),
        run.text("outcome"),
        run.node("failure"));
  }
}
