// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import dev.perdure.policy.DurationText;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A limit, and the tasks that it is about.
 *
 * @param key the type, the kind, and the metadata fields with their values
 * @param type {@code concurrency}, {@code capacity} or {@code rate}
 * @param scope {@code task} for a limit of tasks that have its rule, {@code kind} for one that was
 *     set for the kind and counts all its tasks
 * @param max how many tasks (concurrency), items (capacity) or starts (rate)
 * @param per the period of a rate; null for other types
 * @param burst how many starts of a rate may come at once; null for other types
 * @param used how many tasks are claimed or running; for a capacity, how many items they still have
 *     to do
 * @param waiting how many tasks wait for it, counted up to 1,000
 * @param nextStartAt when a rate allows the next start, perhaps in the past; null before the first
 */
public record LimitInfo(
    String key,
    String type,
    String kind,
    String scope,
    long max,
    @Nullable Duration per,
    @Nullable Long burst,
    long used,
    long waiting,
    @Nullable Instant nextStartAt) {

  /** Whether it was set for the kind and counts all its tasks. */
  public boolean isOfKind() {
    return scope.equals("kind");
  }

  /** Reads the server's JSON. */
  public static LimitInfo of(JsonNode json) {
    JsonFields limit = new JsonFields(json);
    String per = limit.text("per");
    return new LimitInfo(
        limit.required("key", limit::text),
        limit.required("type", limit::text),
        limit.required("kind", limit::text),
        Objects.requireNonNullElse(limit.text("scope"), "task"),
        limit.required("max", limit::number),
        per == null ? null : DurationText.parse(per),
        limit.number("burst"),
        limit.required("used", limit::number),
        limit.required("waiting", limit::number),
        limit.instant("next_start_at"));
  }
}
