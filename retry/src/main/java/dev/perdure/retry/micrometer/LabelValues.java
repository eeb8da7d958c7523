// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry.micrometer;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/** The values that a label has taken; when there are too many, the rest is {@code other}. */
final class LabelValues {

  static final String OTHER = "other";

  private final Set<String> known = ConcurrentHashMap.newKeySet();
  private final Semaphore room;

  LabelValues(int most) {
    this.room = new Semaphore(most);
  }

  String bounded(String value) {
    if (known.contains(value)) {
      return value;
    }
    if (!room.tryAcquire()) {
      return OTHER;
    }
    if (!known.add(value)) {
      room.release();
    }
    return value;
  }
}
