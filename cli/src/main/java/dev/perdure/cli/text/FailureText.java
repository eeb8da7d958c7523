// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import dev.perdure.policy.DurationText;
import dev.perdure.policy.Failure;
import java.util.ArrayList;
import java.util.List;

/** Describes a failure: {@code HTTP 503, Retry-After 30s}. */
final class FailureText {

  private FailureText() {}

  static String of(Failure failure) {
    List<String> words = new ArrayList<>();
    words.add(kind(failure) + (failure.hasStatus() ? " " + failure.status() : ""));
    if (failure.code() != null) {
      words.add("code " + failure.code());
    }
    if (!failure.exceptionTypes().isEmpty()) {
      words.add(failure.exceptionTypes().getFirst());
    }
    if (failure.retryAfter() != null) {
      words.add("Retry-After " + DurationText.format(failure.retryAfter()));
    }
    if (failure.requestedDelay() != null) {
      words.add("requests a delay of " + DurationText.format(failure.requestedDelay()));
    }
    if (failure.permanent()) {
      words.add("permanent");
    }
    return String.join(", ", words);
  }

  private static String kind(Failure failure) {
    return switch (failure.kind()) {
      case TIMEOUT -> "a timeout";
      case WEBHOOK_FAILURE -> "a failed webhook";
      case EXPLICIT -> "an explicit failure";
      case EXCEPTION -> "an exception";
      case HTTP -> "HTTP";
    };
  }
}
