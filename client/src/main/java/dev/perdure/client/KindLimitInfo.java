// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import dev.perdure.policy.DurationText;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The limits of all tasks of a kind.
 *
 * @param maxConcurrency how many tasks can run at the same time; null without such a limit
 * @param rate how many tasks can start in a period; null without such a limit
 * @param fields the metadata fields that tell tasks apart; empty if all tasks count together
 * @param setBy {@code operator}, {@code config} or {@code code}
 */
public record KindLimitInfo(
    String kind,
    @Nullable Long maxConcurrency,
    @Nullable StartRate rate,
    List<String> fields,
    String setBy,
    Instant updatedAt) {

  public KindLimitInfo {
    fields = List.copyOf(fields);
  }

  /**
   * How many tasks can start in a period.
   *
   * @param per the length of the period
   * @param burst how many starts may come at once after a quiet time
   */
  public record StartRate(long maxStarts, Duration per, long burst) {

    static StartRate of(JsonNode json) {
      JsonFields rate = new JsonFields(json);
      return new StartRate(
          rate.required("max_starts", rate::number),
          DurationText.parse(rate.required("per", rate::text)),
          rate.required("burst", rate::number));
    }
  }

  /** Reads the server's JSON. */
  public static KindLimitInfo of(JsonNode json) {
    JsonFields limit = new JsonFields(json);
    return new KindLimitInfo(
        limit.required("kind", limit::text),
        limit.number("max_concurrency"),
        limit.read("rate", StartRate::of),
        limit.texts("fields"),
        limit.required("set_by", limit::text),
        limit.required("updated_at", limit::instant));
  }
}
