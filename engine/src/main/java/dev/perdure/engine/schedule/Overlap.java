// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.schedule;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * What happens at a firing while the schedule is busy: one of its tasks is claimed or running, or a
 * first attempt has not been claimed yet. A task that waits for a retry does not keep it busy.
 */
public enum Overlap {
  /** The firing is skipped. */
  SKIP,
  /** The firing waits until the schedule is no longer busy. */
  QUEUE,
  /** It fires all the same. */
  ALLOW;

  /** The name in the database and in JSON. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The value with this {@link #text}. */
  public static Optional<Overlap> of(String text) {
    return Arrays.stream(values()).filter(value -> value.text().equals(text)).findFirst();
  }
}
