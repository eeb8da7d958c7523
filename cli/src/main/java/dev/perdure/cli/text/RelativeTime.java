// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import java.time.Duration;
import java.time.Instant;

/** An instant as seen from another: {@code in 4s}, {@code 3m ago}. */
final class RelativeTime {

  /** Clocks of two machines are no closer than this, and neither are headers. */
  private static final Duration ALMOST_NOW = Duration.ofSeconds(1);

  private RelativeTime() {}

  static String of(Instant then, Instant now) {
    Duration away = Duration.between(now, then);
    if (away.abs().compareTo(ALMOST_NOW) <= 0) {
      return "now";
    }
    return away.isNegative() ? length(away.negated()) + " ago" : "in " + length(away);
  }

  /** To the second: more would be made up. */
  static String length(Duration length) {
    return ShortDuration.of(Duration.ofSeconds(Math.max(0, length.toSeconds())));
  }
}
