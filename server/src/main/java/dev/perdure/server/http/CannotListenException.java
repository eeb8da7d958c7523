// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

/** The server cannot listen on its address; the message says why. */
public final class CannotListenException extends RuntimeException {

  private static final long serialVersionUID = 1;

  public CannotListenException(String message, Throwable cause) {
    super(message, cause);
  }
}
