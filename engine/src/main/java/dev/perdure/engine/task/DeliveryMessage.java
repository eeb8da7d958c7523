// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import static java.util.Objects.requireNonNull;

/**
 * Something the world outside is to be told.
 *
 * @param trigger what it is about, in one word of a small set: {@code on_success}
 * @param request all that is needed to tell it, text that only a courier reads
 */
public record DeliveryMessage(String trigger, String request) {

  public DeliveryMessage {
    requireNonNull(trigger, "trigger");
    requireNonNull(request, "request");
  }
}
