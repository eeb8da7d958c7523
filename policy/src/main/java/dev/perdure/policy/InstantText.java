// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Formats instants in ISO-8601 and UTC, always with milliseconds: {@code 2026-03-01T12:00:00.000Z}.
 * So they all have the same length, and sort as text.
 */
public final class InstantText {

  private static final int DECIMALS = 3;
  private static final DateTimeFormatter FORMAT =
      new DateTimeFormatterBuilder().appendInstant(DECIMALS).toFormatter();

  private InstantText() {}

  /** The instant, cut to milliseconds; null for null. */
  public static @Nullable String of(@Nullable Instant instant) {
    return instant == null ? null : FORMAT.format(instant);
  }
}
