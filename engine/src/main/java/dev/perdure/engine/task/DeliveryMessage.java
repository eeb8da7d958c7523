// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import static java.util.Objects.requireNonNull;

/**
 * A webhook to send.
 *
 * @param trigger the event that causes it, from a small set: {@code on_success}
 * @param request everything needed to send it, as text that only the {@code DeliverySender} reads
 */
public record DeliveryMessage(String trigger, String request) {

  public DeliveryMessage {
    requireNonNull(trigger, "trigger");
    requireNonNull(request, "request");
  }
}
