// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import org.jspecify.annotations.Nullable;

/** Nobody answers, or not as a server of ours does; says where, why, and what to do. */
public final class TransportException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final boolean outcomeUnknown;

  private TransportException(String message, @Nullable Throwable cause, boolean mayBeDone) {
    super(message, cause);
    this.outcomeUnknown = mayBeDone;
  }

  TransportException(String message, Throwable cause) {
    this(message, cause, false);
  }

  TransportException(String message) {
    this(message, null, false);
  }

  /** The question was sent, and only its answer may have been lost. */
  static TransportException unknownOutcome(String message, Throwable cause) {
    return new TransportException(message, cause, true);
  }

  /** Whether what was asked may have been done all the same. */
  boolean isOutcomeUnknown() {
    return outcomeUnknown;
  }
}
