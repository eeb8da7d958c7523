// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Where a delivery stands. */
public enum DeliveryState {
  /** To be sent when it is due; also while somebody sends it. */
  PENDING,
  /** It has arrived. */
  SENT,
  /** It was given up: a dead letter. */
  DEAD;

  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<DeliveryState> of(String text) {
    return Stream.of(values()).filter(state -> state.text().equals(text)).findFirst();
  }
}
