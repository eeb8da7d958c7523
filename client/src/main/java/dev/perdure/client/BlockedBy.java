// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The limit that keeps a due task from starting.
 *
 * @param type {@code concurrency}, {@code capacity} or {@code rate}
 * @param key the key of the limit, as in {@link LimitInfo}
 * @param used how many tasks are claimed or running; for a capacity, how many items they still have
 *     to do
 * @param max how many tasks, items or starts the limit allows
 * @param ahead how many due tasks start before this one, counted up to 1,000
 * @param nextStartAt when a rate allows the next start; null for other types
 */
public record BlockedBy(
    String type, String key, long used, long max, long ahead, @Nullable Instant nextStartAt) {

  static BlockedBy of(JsonNode json) {
    JsonFields limit = new JsonFields(json);
    return new BlockedBy(
        limit.required("type", limit::text),
        limit.required("key", limit::text),
        limit.required("used", limit::number),
        limit.required("max", limit::number),
        limit.required("ahead", limit::number),
        limit.instant("next_start_at"));
  }
}
