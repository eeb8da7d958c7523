// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import org.jspecify.annotations.Nullable;

/** The client got no usable answer from the server. */
public final class TransportException extends RuntimeException {

  /** Why there is no answer. */
  public enum Reason {
    /** The name of the server's host cannot be resolved. */
    UNKNOWN_HOST,
    /** No connection could be opened. */
    NOT_CONNECTED,
    /** The answer, or the rest of it, did not arrive in time. */
    TIMEOUT,
    /** The connection broke before the whole answer had arrived. */
    CONNECTION_LOST,
    /** The calling thread was interrupted. */
    INTERRUPTED,
    /** The answer is not one that a Perdure server gives. */
    UNEXPECTED_ANSWER
  }

  private static final long serialVersionUID = 1;

  private final Reason reason;
  private final boolean mayHaveBeenCarriedOut;

  TransportException(Reason reason, String message, @Nullable Throwable cause) {
    this(reason, reason != Reason.UNKNOWN_HOST && reason != Reason.NOT_CONNECTED, message, cause);
  }

  TransportException(
      Reason reason, boolean mayHaveBeenCarriedOut, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.reason = reason;
    this.mayHaveBeenCarriedOut = mayHaveBeenCarriedOut;
  }

  public Reason reason() {
    return reason;
  }

  /**
   * Whether the server may have carried out the request. When false, it never arrived, and you can
   * send it again. When true, look first, or repeat only what is safe to repeat.
   */
  public boolean mayHaveBeenCarriedOut() {
    return mayHaveBeenCarriedOut;
  }

  /** The request was sent and only its answer was lost. */
  boolean isAnswerLost() {
    return reason == Reason.TIMEOUT || reason == Reason.CONNECTION_LOST;
  }
}
