// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The state of a delivery. */
public enum DeliveryState {
  /** Waiting until it is due, or being sent. */
  PENDING,
  SENT,
  /** Given up: a dead letter. */
  DEAD;

  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<DeliveryState> of(String text) {
    return Stream.of(values()).filter(state -> state.text().equals(text)).findFirst();
  }
}
