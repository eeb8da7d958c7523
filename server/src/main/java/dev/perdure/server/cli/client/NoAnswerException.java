// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli.client;

import org.jspecify.annotations.Nullable;

/** Nobody answers, or not as a server of ours does; says where, why, and what to do. */
public final class NoAnswerException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final boolean mayBeDone;

  private NoAnswerException(String message, @Nullable Throwable cause, boolean mayBeDone) {
    super(message, cause);
    this.mayBeDone = mayBeDone;
  }

  NoAnswerException(String message, Throwable cause) {
    this(message, cause, false);
  }

  NoAnswerException(String message) {
    this(message, null, false);
  }

  /** The question was sent, and only its answer may have been lost. */
  static NoAnswerException maybeDone(String message, Throwable cause) {
    return new NoAnswerException(message, cause, true);
  }

  /** Whether what was asked may have been done all the same. */
  boolean mayBeDone() {
    return mayBeDone;
  }
}
