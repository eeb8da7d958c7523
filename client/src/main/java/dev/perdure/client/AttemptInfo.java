// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * One attempt that has ended.
 *
 * @param number from 0
 * @param outcome {@code success}, {@code failure}, {@code lost} and so on
 * @param status the HTTP status that the work failed with
 * @param delay the delay that the policy chose before the next attempt
 */
public record AttemptInfo(
    long number,
    long epoch,
    @Nullable String worker,
    @Nullable Instant startedAt,
    Instant endedAt,
    String outcome,
    @Nullable String failureKind,
    @Nullable Long status,
    @Nullable String code,
    @Nullable String message,
    @Nullable String stack,
    @Nullable Duration delay,
    @Nullable Instant nextAt,
    List<String> exceptionTypes) {

  static AttemptInfo of(JsonNode json) {
    JsonFields attempt = new JsonFields(json);
    return new AttemptInfo(
        attempt.required("number", attempt::number),
        attempt.required("epoch", attempt::number),
        attempt.text("worker"),
        attempt.instant("started_at"),
        attempt.required("ended_at", attempt::instant),
        attempt.required("outcome", attempt::text),
        attempt.text("failure_kind"),
        attempt.number("status"),
        attempt.text("code"),
        attempt.text("message"),
        attempt.text("stack"),
        attempt.millis("delay_ms"),
        attempt.instant("next_at"),
        attempt.texts("exception_types"));
  }
}
