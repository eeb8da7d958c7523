// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import org.jspecify.annotations.Nullable;

/**
 * What the last attempt left behind; all null while an attempt runs.
 *
 * @param failureKind the kind of the last failure
 * @param failureReason its message; for a parked task, why it is parked
 * @param failureCode its code
 * @param giveUpReason why there is no further attempt
 * @param result the result of a successful attempt, as JSON
 * @param error the {@link ErrorFingerprint} of the failure; only while a retry waits and after the
 *     task failed
 */
public record LastResult(
    @Nullable String failureKind,
    @Nullable String failureReason,
    @Nullable String failureCode,
    @Nullable TaskGiveUpReason giveUpReason,
    @Nullable String result,
    @Nullable String error) {

  public static final LastResult NONE = new LastResult(null, null, null, null, null, null);
}
