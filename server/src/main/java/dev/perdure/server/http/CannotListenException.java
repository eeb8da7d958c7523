// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

/** The address cannot be listened on; the message says why and what to do. */
public final class CannotListenException extends RuntimeException {

  private static final long serialVersionUID = 1;

  public CannotListenException(String message, Throwable cause) {
    super(message, cause);
  }
}
