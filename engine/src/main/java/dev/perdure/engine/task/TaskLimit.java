// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A limit of one task. All tasks with the same key share it.
 *
 * @param key the type, the kind, and the metadata fields with their values
 */
public record TaskLimit(String key, LimitRule rule) {

  private static final String SEPARATOR = "\n";

  /** The keys as stores keep them: one text, or null for a task without limits. */
  public static @Nullable String keys(List<TaskLimit> limits) {
    return limits.isEmpty()
        ? null
        : limits.stream().map(TaskLimit::key).collect(Collectors.joining(SEPARATOR));
  }

  /** The keys in the text that stores keep. */
  public static List<String> keys(@Nullable String text) {
    return text == null ? List.of() : List.of(text.split(SEPARATOR, -1));
  }
}
