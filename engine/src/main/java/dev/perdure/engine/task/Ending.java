// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import org.jspecify.annotations.Nullable;

/**
 * What the last attempt, or the end, left to see; all null while an attempt is under way.
 *
 * @param failureKind the kind of the last failure
 * @param failureReason its message
 * @param failureCode its code
 * @param giveUpReason why there is no further attempt
 * @param result what a successful attempt returned, JSON
 */
public record Ending(
    @Nullable String failureKind,
    @Nullable String failureReason,
    @Nullable String failureCode,
    @Nullable EndReason giveUpReason,
    @Nullable String result) {

  public static final Ending NONE = new Ending(null, null, null, null, null);
}
