// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry.micrometer;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/** Limits the number of values of a label; further values become {@code other}. */
final class LabelValues {

  static final String OTHER = "other";

  private final Set<String> known = ConcurrentHashMap.newKeySet();
  private final Semaphore available;

  LabelValues(int max) {
    this.available = new Semaphore(max);
  }

  String bounded(String value) {
    if (known.contains(value)) {
      return value;
    }
    if (!available.tryAcquire()) {
      return OTHER;
    }
    if (!known.add(value)) {
      available.release();
    }
    return value;
  }
}
