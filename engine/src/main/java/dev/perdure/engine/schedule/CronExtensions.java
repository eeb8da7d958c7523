// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.schedule;

import dev.perdure.policy.FieldError;
import java.util.Locale;
import java.util.regex.Pattern;

/** Rejects what Quartz, Jenkins and others add to cron, and says what to write instead. */
final class CronExtensions {

  private static final Pattern LAST = Pattern.compile("(?i)(.*,)?(L|L-\\d+|LW|\\w{1,3}L)(,.*)?");
  private static final Pattern NEAREST = Pattern.compile("(?i)(.*,)?\\d+W(,.*)?");
  private static final Pattern HASHED = Pattern.compile("(?i)(.*,)?H([(/,].*)?");

  private CronExtensions() {}

  /**
   * Accepts a field without extensions.
   *
   * @throws IllegalArgumentException if the field uses one
   */
  static void reject(CronField field, String text) {
    if (text.contains("?")) {
      throw unsupported(field, text, "'?' is not supported", "write * instead");
    }
    if (text.contains("#")) {
      throw unsupported(
          field, text, "the nth weekday of a month is not supported", "name a day or a weekday");
    }
    boolean date = field == CronField.DAY || field == CronField.WEEKDAY;
    // A month may end in L too: jul.
    if (date && LAST.matcher(text).matches()) {
      throw unsupported(
          field, text, "the last day is not supported", "name a day, such as 28 of every month");
    }
    if (date && NEAREST.matcher(text).matches()) {
      String day = text.toUpperCase(Locale.ROOT).replaceFirst(".*?(\\d+)W.*", "$1");
      throw unsupported(field, text, "the nearest weekday is not supported", "write " + day);
    }
    if (HASHED.matcher(text).matches()) {
      throw unsupported(field, text, "'H' is not supported", "write a number");
    }
  }

  private static IllegalArgumentException unsupported(
      CronField field, String text, String what, String fix) {
    return new IllegalArgumentException(
        "%s: '%s': %s; %s".formatted(field, FieldError.sanitize(text), what, fix));
  }
}
