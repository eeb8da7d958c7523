// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import java.time.Duration;

/** Formats a duration with its two largest units: {@code 1.5s}, {@code 2h 5m}. */
public final class ShortDuration {

  private static final long SECOND = 1_000;
  private static final long MINUTE = 60 * SECOND;
  private static final long HOUR = 60 * MINUTE;
  private static final long DAY = 24 * HOUR;

  private ShortDuration() {}

  public static String of(Duration duration) {
    return of(duration.toMillis());
  }

  private static String of(long millis) {
    if (millis == 0) {
      return "0s";
    }
    if (millis < SECOND) {
      return millis + "ms";
    }
    if (rounded(millis, 100) < MINUTE) {
      return seconds(millis);
    }
    if (rounded(millis, SECOND) < HOUR) {
      return parts(rounded(millis, SECOND), MINUTE, "m", SECOND, "s");
    }
    if (rounded(millis, MINUTE) < DAY) {
      return parts(rounded(millis, MINUTE), HOUR, "h", MINUTE, "m");
    }
    if (millis < 100 * DAY) {
      return parts(rounded(millis, HOUR), DAY, "d", HOUR, "h");
    }
    return rounded(millis, DAY) / DAY + "d";
  }

  private static String seconds(long millis) {
    String text = NumberFormatting.plain(millis / 1e3, millis < 10 * SECOND ? 2 : 1);
    return text + "s";
  }

  private static long rounded(long millis, long unit) {
    return (millis + unit / 2) / unit * unit;
  }

  private static String parts(
      long millis, long large, String largeName, long small, String smallName) {
    long rest = millis % large / small;
    return millis / large + largeName + (rest == 0 ? "" : " " + rest + smallName);
  }
}
