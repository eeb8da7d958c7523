// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * How retries went on the whole server.
 *
 * @param pending tasks that wait for a retry
 * @param due how many of them are due now
 * @param exhausted tasks that failed because their retries ran out
 * @param successRate percentage of the tasks with a retry that succeeded; null when there are none
 */
public record RetryStats(
    long pending,
    long due,
    long exhausted,
    @Nullable Double successRate,
    @Nullable Duration averageDelay,
    Map<String, Long> byKind,
    Map<String, Long> byStrategy) {

  /** Reads the server's JSON. */
  public static RetryStats of(JsonNode json) {
    JsonFields stats = new JsonFields(json);
    return new RetryStats(
        stats.required("pending", stats::number),
        stats.required("due", stats::number),
        stats.required("exhausted", stats::number),
        stats.decimal("success_rate"),
        stats.millis("average_delay_ms"),
        stats.counts("by_kind"),
        stats.counts("by_strategy"));
  }
}
