// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import java.time.Duration;
import java.time.Instant;

/** A time relative to now: {@code in 4s}, {@code 3m ago}. */
final class RelativeTime {

  /** HTTP dates have whole seconds, and the clocks of two machines differ. */
  private static final Duration ALMOST_NOW = Duration.ofSeconds(1);

  private RelativeTime() {}

  static String of(Instant then, Instant now) {
    Duration away = Duration.between(now, then);
    if (away.abs().compareTo(ALMOST_NOW) <= 0) {
      return "now";
    }
    return away.isNegative() ? length(away.negated()) + " ago" : "in " + length(away);
  }

  /** In whole seconds: more would be false precision. */
  static String length(Duration length) {
    return ShortDuration.of(Duration.ofSeconds(Math.max(0, length.toSeconds())));
  }
}
