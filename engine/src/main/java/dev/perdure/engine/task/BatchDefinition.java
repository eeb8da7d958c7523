// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import org.jspecify.annotations.Nullable;

/**
 * What was submitted for a batch as a whole.
 *
 * @param name a name to show
 * @param context JSON that all its tasks can read
 */
public record BatchDefinition(@Nullable String name, @Nullable String context) {

  public static final BatchDefinition NONE = new BatchDefinition(null, null);
}
