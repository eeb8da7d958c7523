// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli;

/** The call was right, and there is nothing to answer it with. */
final class AnswerIsNoException extends RuntimeException {

  private static final long serialVersionUID = 1;

  AnswerIsNoException(String message) {
    super(message);
  }
}
