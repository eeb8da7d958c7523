// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli.client;

/** Nobody answers, or not as a server of ours does; says where, why, and what to do. */
public final class NoAnswerException extends RuntimeException {

  private static final long serialVersionUID = 1;

  NoAnswerException(String message, Throwable cause) {
    super(message, cause);
  }

  NoAnswerException(String message) {
    super(message);
  }
}
