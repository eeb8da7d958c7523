// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.explain;

import java.util.Locale;

/** Formats numbers for messages: {@code 1,000}, {@code 7.50}, {@code 1.0e+18}. */
final class NumberText {

  private static final double MAX_PLAIN = 1e15;

  private NumberText() {}

  static String of(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  static String of(double value) {
    if (value >= MAX_PLAIN) {
      return String.format(Locale.ROOT, "%.1e", value);
    }
    return value == Math.rint(value)
        ? of((long) value)
        : String.format(Locale.ROOT, "%,.2f", value);
  }

  /** {@code 25 %}, with at most one decimal. */
  static String percent(double share) {
    String text = String.format(Locale.ROOT, "%.1f", share * 100);
    return (text.endsWith(".0") ? text.substring(0, text.length() - 2) : text) + " %";
  }
}
