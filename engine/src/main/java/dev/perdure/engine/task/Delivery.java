// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One outgoing message, as the store has it.
 *
 * @param task whose change it tells of
 * @param batch the batch of that task, with which it is deleted
 * @param epoch how often somebody took it to send it; only grows, and is the fence
 * @param attempt the number of the attempt under way or coming next, from 0; counted anew when it
 *     is sent again by hand
 * @param lastFailure how the last attempt failed; null when none has
 */
public record Delivery(
    UUID id,
    UUID task,
    UUID batch,
    DeliveryMessage message,
    DeliveryState state,
    long epoch,
    long attempt,
    DeliveryTimes times,
    @Nullable DeliveryFailure lastFailure) {

  /**
   * A delivery's instants, all by the database's clock.
   *
   * @param createdAt when it was written
   * @param retrySince what the policy counts from: it was written, or sent again by hand
   * @param dueAt when it is or was due; while somebody sends it, when it would be due again
   * @param leaseUntil until when it is somebody's to send; null while nobody sends it
   * @param updatedAt when anything last changed
   * @param endedAt when it arrived or was given up
   */
  public record DeliveryTimes(
      Instant createdAt,
      Instant retrySince,
      Instant dueAt,
      @Nullable Instant leaseUntil,
      Instant updatedAt,
      @Nullable Instant endedAt) {}

  /**
   * A failed attempt.
   *
   * @param status an HTTP status, or {@link dev.perdure.policy.Failure#NO_STATUS}
   */
  public record DeliveryFailure(String kind, int status, @Nullable String message) {}
}
