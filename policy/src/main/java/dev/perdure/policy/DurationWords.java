// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import java.math.BigDecimal;
import java.time.Duration;

/** Says a duration in English, in the largest unit that divides it. */
public final class DurationWords {

  private DurationWords() {}

  /** "1 hour", "5 minutes", "1.5 seconds", "250 milliseconds". */
  public static String of(Duration duration) {
    long millis = duration.toMillis();
    if (millis % 1_000 != 0) {
      return millis < 1_000
          ? count(Long.toString(millis), "millisecond")
          : count(BigDecimal.valueOf(millis, 3).stripTrailingZeros().toPlainString(), "second");
    }
    long seconds = millis / 1_000;
    // A day of elapsed time is not a calendar day when the clock changes: say 24 hours.
    if (seconds % 86_400 == 0 && seconds > 86_400) {
      return count(Long.toString(seconds / 86_400), "day");
    }
    if (seconds % 3_600 == 0 && seconds > 0) {
      return count(Long.toString(seconds / 3_600), "hour");
    }
    return seconds % 60 == 0 && seconds > 0
        ? count(Long.toString(seconds / 60), "minute")
        : count(Long.toString(seconds), "second");
  }

  /** "every hour", "every 5 minutes". */
  public static String every(Duration interval) {
    return "every " + of(interval).replaceFirst("^1 ", "");
  }

  private static String count(String number, String unit) {
    return number + " " + unit + (number.equals("1") ? "" : "s");
  }
}
