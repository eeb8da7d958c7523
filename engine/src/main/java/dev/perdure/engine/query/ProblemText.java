// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.query;

import java.time.Duration;
import java.util.Locale;

/** Words for numbers and lengths of time. */
final class ProblemText {

  private ProblemText() {}

  static String number(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  static String count(long count, String noun) {
    String plural = noun.endsWith("y") ? noun.substring(0, noun.length() - 1) + "ies" : noun + "s";
    return "%s %s".formatted(number(count), count == 1 ? noun : plural);
  }

  static String are(long count, String noun) {
    return count(count, noun) + (count == 1 ? " is" : " are");
  }

  /** A length in its largest unit: 14 s, 6 min, 3 h, 2 d. */
  static String age(Duration length) {
    if (length.toMinutes() < 2) {
      return Math.max(0, length.toSeconds()) + " s";
    }
    if (length.toHours() < 2) {
      return length.toMinutes() + " min";
    }
    return length.toDays() < 2 ? length.toHours() + " h" : length.toDays() + " d";
  }
}
