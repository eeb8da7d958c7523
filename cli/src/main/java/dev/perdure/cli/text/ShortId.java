// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * The part of an id in which the ids of one server differ. An id starts with its time: 48 bits of
 * milliseconds and a counter. The first four characters change every 50 days, and the random part
 * at the end is not needed, so {@code 01a1e8bd-d166-7001-8e58-cbada89a6000} becomes {@code
 * e8bd-d166-7001}. Because lists are sorted by id, the missing beginning can be tried out.
 */
public final class ShortId {

  private static final int START = 4;
  private static final int TIME_END = 13;
  private static final int END = 18;
  private static final int HEXADECIMAL = 16;
  private static final int MAX_PERIODS = 8;
  private static final int MIN_LENGTH = 6;

  private static final String LAST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";
  private static final Pattern ID_START =
      Pattern.compile("[0-9a-f]{8}(-([0-9a-f]{0,4}(-[0-9a-f]{0,4}){0,2}(-[0-9a-f]{0,12})?)?)?");

  private ShortId() {}

  public static String of(UUID id) {
    return id.toString().substring(START, END);
  }

  /** Only the time, which tells tasks apart that were submitted one by one. */
  static String time(UUID id) {
    return id.toString().substring(START, TIME_END);
  }

  /** Whether the text can be a short id or the beginning of an id, but not a whole id. */
  public static boolean matches(String text) {
    return text.length() >= MIN_LENGTH && !beginnings(text, LAST_ID).isEmpty();
  }

  /**
   * The beginnings that an id with this short id can have, the most recent one first.
   *
   * @param newest the newest id of the server
   */
  public static List<String> beginnings(String text, String newest) {
    String lower = text.toLowerCase(Locale.ROOT);
    int period = Integer.parseInt(newest.substring(0, START), HEXADECIMAL);
    List<String> beginnings = new ArrayList<>(List.of(lower));
    for (int i = period; i >= 0 && i > period - MAX_PERIODS; i--) {
      beginnings.add("%04x%s".formatted(i, lower));
    }
    beginnings.removeIf(
        each -> each.length() >= LAST_ID.length() || !ID_START.matcher(each).matches());
    return beginnings;
  }

  /** The greatest id with this beginning. */
  public static String last(String beginning) {
    return beginning + LAST_ID.substring(beginning.length());
  }
}
