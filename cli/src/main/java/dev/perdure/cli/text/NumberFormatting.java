// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import java.util.Locale;

/** Formats numbers for people. */
public final class NumberFormatting {

  private NumberFormatting() {}

  /** {@code 1,234}, in every locale. */
  public static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** {@code 1 retry}, {@code 3 retries}. */
  public static String count(long number, String one, String many) {
    return count(number) + " " + (number == 1 ? one : many);
  }

  /** {@code 62.5 %}; never rounded up to 100 or down to 0. */
  static String percent(double share) {
    double percent = share * 100;
    if (percent > 99.9 && percent < 100) {
      return "> 99.9 %";
    }
    if (percent > 0 && percent < 0.1) {
      return "< 0.1 %";
    }
    return plain(percent, 1) + " %";
  }

  /** {@code 2.4 ×}. */
  static String times(double factor) {
    return plain(factor, factor < 10 ? 2 : 1) + " ×";
  }

  /** With at most this many decimals, and no trailing zeros. */
  static String plain(double number, int decimals) {
    String text = String.format(Locale.ROOT, "%." + decimals + "f", number);
    return text.contains(".") ? text.replaceFirst("[.]?0+$", "") : text;
  }
}
