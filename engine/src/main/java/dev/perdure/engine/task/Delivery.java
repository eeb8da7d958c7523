// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A delivery as the store has it: one outgoing webhook other than {@code on_start}.
 *
 * @param task the task it reports on
 * @param batch the batch of that task; both are purged together
 * @param epoch how often the delivery was claimed; it only grows and fences late writes
 * @param attempt the number of the current or next attempt, from 0; starts over when the delivery
 *     is sent again by hand
 * @param lastFailure the failure of the last attempt; null when none failed
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
   * @param retrySince what the retry policy counts from: its creation, or the last redelivery by
   *     hand
   * @param dueAt when it is or was due; while it is being sent, when it would be due again
   * @param leaseUntil until when a node may send it; null while no node does
   * @param updatedAt the last change
   * @param endedAt when it was sent or given up
   */
  public record DeliveryTimes(
      Instant createdAt,
      Instant retrySince,
      Instant dueAt,
      @Nullable Instant leaseUntil,
      Instant updatedAt,
      @Nullable Instant endedAt) {}

  /**
   * Why an attempt to send failed.
   *
   * @param status the HTTP status, or {@link dev.perdure.policy.Failure#NO_STATUS}
   */
  public record DeliveryFailure(String kind, int status, @Nullable String message) {}
}
