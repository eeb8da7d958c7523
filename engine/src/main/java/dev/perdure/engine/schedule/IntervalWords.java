// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.schedule;

import java.math.BigDecimal;
import java.time.Duration;

/** Says an interval in English: "5 minutes", "hour", "1.5 seconds". */
final class IntervalWords {

  private IntervalWords() {}

  /** The interval as it follows "every", in the largest unit that divides it. */
  static String of(Duration interval) {
    if (interval.toMillisPart() != 0) {
      BigDecimal seconds = BigDecimal.valueOf(interval.toMillis(), 3).stripTrailingZeros();
      return seconds.toPlainString() + " seconds";
    }
    long seconds = interval.toSeconds();
    // A day of elapsed time is not a calendar day when the clock changes: say 24 hours.
    if (seconds % 86_400 == 0 && seconds > 86_400) {
      return count(seconds / 86_400, "day");
    }
    if (seconds % 3_600 == 0) {
      return count(seconds / 3_600, "hour");
    }
    return seconds % 60 == 0 ? count(seconds / 60, "minute") : count(seconds, "second");
  }

  /** "minute" for 1, "5 minutes" for 5. */
  static String count(long number, String unit) {
    return number == 1 ? unit : number + " " + unit + "s";
  }
}
