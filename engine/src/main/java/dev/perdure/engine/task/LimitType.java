// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What a limit counts. */
public enum LimitType {
  /** How many tasks are claimed or running. */
  CONCURRENCY,
  /** How many items the claimed and running tasks still have to do. */
  CAPACITY,
  /** How many attempts start in a period. */
  RATE;

  /** The name in keys and responses. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The type with this {@link #text}. */
  public static Optional<LimitType> of(String text) {
    return Arrays.stream(values()).filter(type -> type.text().equals(text)).findFirst();
  }
}
