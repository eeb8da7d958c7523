// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Formats instants for responses. */
public final class InstantText {

  private InstantText() {}

  /** In ISO-8601 and UTC; null for null. */
  public static @Nullable String of(@Nullable Instant instant) {
    return instant == null ? null : instant.toString();
  }
}
