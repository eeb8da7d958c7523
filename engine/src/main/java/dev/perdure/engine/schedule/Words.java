// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.schedule;

import java.time.Month;
import java.time.format.TextStyle;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Small pieces of English sentences. */
final class Words {

  /** Three neighbours or more read better as a range. */
  static final int MIN_RANGE = 3;

  /** Six values or more at even distances read better as a rule. */
  static final int MIN_STEPS = 6;

  private Words() {}

  /** "a", "a and b", "a, b and c". */
  static String list(List<String> words, String conjunction) {
    int last = words.size() - 1;
    return last == 0
        ? words.getFirst()
        : "%s %s %s"
            .formatted(String.join(", ", words.subList(0, last)), conjunction, words.get(last));
  }

  /** "1st", "2nd", "11th". */
  static String ordinal(int number) {
    boolean teen = number / 10 % 10 == 1;
    return number
        + switch (teen ? 0 : number % 10) {
          case 1 -> "st";
          case 2 -> "nd";
          case 3 -> "rd";
          default -> "th";
        };
  }

  /** "08:05". */
  static String clock(int hour, int minute) {
    return "%02d:%02d".formatted(hour, minute);
  }

  static String month(int number) {
    return Month.of(number).getDisplayName(TextStyle.FULL, Locale.ENGLISH);
  }

  /** "minute 5", "minutes 0 to 9, 20 and 30", "every 2nd minute from 1 to 59". */
  static String numbers(FieldValues values) {
    String unit = values.field().toString();
    if (values.step() > 1 && values.count() >= MIN_STEPS) {
      return "every %s %s from %d to %d"
          .formatted(ordinal(values.step()), unit, values.first(), values.last());
    }
    return (values.count() == 1 ? unit : unit + "s") + " " + list(ranges(values.list()), "and");
  }

  private static List<String> ranges(List<Integer> values) {
    List<String> ranges = new ArrayList<>();
    for (int i = 0; i < values.size(); ) {
      int end = i;
      while (end + 1 < values.size() && values.get(end + 1) == values.get(end) + 1) {
        end++;
      }
      boolean range = end - i + 1 >= MIN_RANGE;
      ranges.add(range ? values.get(i) + " to " + values.get(end) : values.get(i).toString());
      i = range ? end + 1 : i + 1;
    }
    return ranges;
  }
}
