// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry.http;

import java.net.http.HttpHeaders;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Reads when an exhausted rate limit resets: {@code RateLimit: "default";r=0;t=10}, and the older
 * {@code RateLimit-Remaining} with {@code RateLimit-Reset}. Invalid values are ignored.
 */
final class RateLimitHeader {

  private static final int MAX_TEXT_LENGTH = 1_000;
  private static final Pattern REMAINING = Pattern.compile(";\\s*r=(\\d{1,9})");
  private static final Pattern SECONDS_TO_RESET = Pattern.compile(";\\s*t=(\\d{1,9})");

  private RateLimitHeader() {}

  static Optional<Duration> timeToReset(HttpHeaders headers) {
    Optional<Duration> current =
        headers.allValues("RateLimit").stream()
            .filter(value -> value.length() <= MAX_TEXT_LENGTH)
            .flatMap(value -> Stream.of(value.split(",", -1)))
            .filter(item -> number(REMAINING, item).filter(left -> left == 0).isPresent())
            .flatMap(item -> number(SECONDS_TO_RESET, item).stream())
            .map(Duration::ofSeconds)
            .max(Duration::compareTo);
    return current.isPresent() ? current : legacyTimeToReset(headers);
  }

  private static Optional<Duration> legacyTimeToReset(HttpHeaders headers) {
    boolean exhausted = headers.firstValue("RateLimit-Remaining").filter("0"::equals).isPresent();
    return headers
        .firstValue("RateLimit-Reset")
        .filter(value -> exhausted && value.matches("\\d{1,9}"))
        .map(value -> Duration.ofSeconds(Long.parseLong(value)));
  }

  private static Optional<Long> number(Pattern pattern, String item) {
    Matcher matcher = pattern.matcher(item);
    return matcher.find() ? Optional.of(Long.parseLong(matcher.group(1))) : Optional.empty();
  }
}
