// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.schedule;

import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What happens to firings that were missed while no node was running. */
public enum Misfire {
  /** It fires once for all of them. */
  FIRE_ONCE,
  /** It waits for the next one. */
  SKIP;

  /** A firing that is later than this was missed. */
  public static final Duration MAX_DELAY = Duration.ofSeconds(60);

  /** The name in the database and in JSON. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The value with this {@link #text}. */
  public static Optional<Misfire> of(String text) {
    return Arrays.stream(values()).filter(value -> value.text().equals(text)).findFirst();
  }
}
