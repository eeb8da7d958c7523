// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Ids as people write them. */
public final class IdText {

  private IdText() {}

  /** The id; null when the text is not the usual form of a UUID, in upper or lower case. */
  public static @Nullable UUID parse(String text) {
    try {
      UUID id = UUID.fromString(text);
      return id.toString().equalsIgnoreCase(text) ? id : null;
    } catch (IllegalArgumentException notAnId) {
      return null;
    }
  }
}
