// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import org.jspecify.annotations.Nullable;

/** The client got no usable response from the server. */
public final class TransportException extends RuntimeException {

  /** Why there is no usable response. */
  public enum Reason {
    /** The name of the server's host cannot be resolved. */
    UNKNOWN_HOST,
    /** No connection could be opened. */
    NOT_CONNECTED,
    /** The response, or the rest of it, did not arrive in time. */
    TIMEOUT,
    /**
     * The connection broke before the whole response had arrived, or a gateway responded that it
     * cannot reach the server.
     */
    CONNECTION_LOST,
    /** The calling thread was interrupted. */
    INTERRUPTED,
    /** The response does not come from a Perdure server. */
    UNEXPECTED_RESPONSE,
    /** The server made the change, but could not read the result afterwards. */
    RESULT_UNAVAILABLE
  }

  private static final long serialVersionUID = 1;

  private final Reason reason;
  private final boolean outcomeUnknown;

  TransportException(Reason reason, String message, @Nullable Throwable cause) {
    this(reason, reason != Reason.UNKNOWN_HOST && reason != Reason.NOT_CONNECTED, message, cause);
  }

  TransportException(
      Reason reason, boolean outcomeUnknown, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.reason = reason;
    this.outcomeUnknown = outcomeUnknown;
  }

  /** The same error when an earlier send of the request may have been executed. */
  TransportException withUnknownOutcome() {
    return new TransportException(reason, true, String.valueOf(getMessage()), this);
  }

  public Reason reason() {
    return reason;
  }

  /**
   * Whether the server may have executed the request. When false, it has not, and you can send the
   * request again. When true, check the task first, or repeat only idempotent requests.
   */
  public boolean outcomeUnknown() {
    return outcomeUnknown;
  }

  /** The request was sent and only its response was lost. */
  boolean isResponseLost() {
    return reason == Reason.TIMEOUT || reason == Reason.CONNECTION_LOST;
  }
}
