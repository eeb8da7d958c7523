// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.schedule;

import dev.perdure.policy.FieldError;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads one field of a cron expression. */
final class CronFieldParser {

  private static final Pattern ITEM = Pattern.compile("(\\*|\\w+)(?:-(\\w+))?(?:/(\\w+))?");
  private static final Pattern NUMBER = Pattern.compile("\\d{1,4}");

  private final CronField field;

  private CronFieldParser(CronField field) {
    this.field = field;
  }

  /**
   * Parses a field.
   *
   * @throws IllegalArgumentException with a message that says what is wrong and how to fix it
   */
  static FieldValues parse(CronField field, String text) {
    CronFieldParser parser = new CronFieldParser(field);
    CronExtensions.reject(field, text);
    long bits = 0;
    for (String item : text.split(",", -1)) {
      bits |= parser.item(item, text);
    }
    return new FieldValues(field, bits, text.startsWith("*"));
  }

  private long item(String item, String text) {
    if (item.isEmpty()) {
      throw wrong("'%s' has an empty entry; check its commas".formatted(quote(text)));
    }
    Matcher parts = ITEM.matcher(item);
    if (!parts.matches()) {
      throw wrong("'%s' is not %s".formatted(quote(item), field.range()));
    }
    String from = parts.group(1);
    String to = parts.group(2);
    String step = parts.group(3);
    if (from.equals("*")) {
      if (to != null) {
        throw wrong("'%s' is not a range; write * alone, or two numbers".formatted(quote(item)));
      }
      int last = field == CronField.WEEKDAY ? field.max() - 1 : field.max();
      return range(field.min(), last, step);
    }
    int first = value(from);
    if (to == null && step != null) {
      throw wrong(
          "'%s' has a step but no range; write %s-%d/%s"
              .formatted(quote(item), from, field.max(), step));
    }
    return to == null ? range(first, first, null) : range(first, value(to), item, step);
  }

  /** A range as written; Sunday may begin or end a week. */
  private long range(int from, int to, String item, @Nullable String step) {
    boolean week = field == CronField.WEEKDAY;
    int first = week && from == CronField.SUNDAY_AS_7 && to < from ? 0 : from;
    int last = week && to == 0 && first > 0 ? CronField.SUNDAY_AS_7 : to;
    if (first > last) {
      throw wrong("%s runs backwards; write %s".formatted(quote(item), forwards(first, last)));
    }
    return range(first, last, step);
  }

  /** Two ranges that together mean the same as one that wraps around. */
  private String forwards(int first, int last) {
    int low = field == CronField.WEEKDAY ? 1 : field.min();
    return span(first, field.max()) + "," + span(low, last);
  }

  private static String span(int from, int to) {
    return from == to ? String.valueOf(from) : from + "-" + to;
  }

  private long range(int first, int last, @Nullable String step) {
    int width = step == null ? 1 : step(step);
    long bits = 0;
    for (int value = first; value <= last; value += width) {
      boolean sunday = field == CronField.WEEKDAY && value == CronField.SUNDAY_AS_7;
      bits |= 1L << (sunday ? 0 : value);
    }
    return bits;
  }

  private int step(String text) {
    int most = field.size();
    int step = NUMBER.matcher(text).matches() ? Integer.parseInt(text) : -1;
    if (step >= 1 && step <= most) {
      return step;
    }
    boolean interval = field == CronField.MINUTE || field == CronField.HOUR;
    String hint = step > most && interval ? "; use every instead of cron for longer intervals" : "";
    throw wrong("step %s is not 1 to %d%s".formatted(quote(text), most, hint));
  }

  private int value(String text) {
    int named = field.named(text);
    if (named >= 0) {
      return named;
    }
    boolean number = NUMBER.matcher(text).matches();
    int value = number ? Integer.parseInt(text) : -1;
    if (value >= field.min() && value <= field.max()) {
      return value;
    }
    String start = text.substring(0, Math.min(3, text.length()));
    if (field.named(start) >= 0) {
      throw wrong("'%s' is too long; write %s".formatted(quote(text), start));
    }
    String shown = number ? text : "'" + quote(text) + "'";
    throw wrong(shown + " is not " + field.range());
  }

  private static String quote(String text) {
    return FieldError.sanitize(text);
  }

  private IllegalArgumentException wrong(String message) {
    return new IllegalArgumentException(field + ": " + message);
  }
}
