// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.micrometer;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Limits the values of a label, so that the number of time series stays bounded. */
final class BoundedLabels {

  static final int MAX_VALUES = 200;
  static final String OTHER = "other";
  private static final long ONE_BY_ONE = 3;
  private static final long TEN = 10;

  private final Set<String> known = ConcurrentHashMap.newKeySet();

  /** The value itself for the first 200 different values, {@code other} for the rest. */
  String bounded(String value) {
    if (known.contains(value)) {
      return value;
    }
    synchronized (known) {
      if (known.size() < MAX_VALUES) {
        known.add(value);
      }
      return known.contains(value) ? value : OTHER;
    }
  }

  /** The number of an attempt as a label: 1, 2, 3, 4-9 or 10+. */
  static String attempt(long number) {
    if (number <= ONE_BY_ONE) {
      return Long.toString(number);
    }
    return number < TEN ? "4-9" : "10+";
  }
}
