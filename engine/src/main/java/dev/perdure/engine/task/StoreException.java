// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import org.jspecify.annotations.Nullable;

/**
 * The store could not do it, although it tried again where that could help.
 *
 * <p>When {@link #unknown()}, the answer to a commit was lost: it may have been done. When {@link
 * #unavailable()}, the store cannot be reached or is too busy: later it may well be done. When
 * neither, the store does not take what it was given, now or later.
 */
public final class StoreException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final ErrorKind kind;

  /** What sort of trouble it is. */
  public enum ErrorKind {
    /** Not done; the store cannot be reached or is too busy. */
    UNAVAILABLE,
    /** Done or not: the answer was lost. */
    UNKNOWN,
    /** Not done, and it will not be: the store does not take this. */
    REFUSED
  }

  public StoreException(String message, @Nullable Throwable cause, ErrorKind errorKind) {
    super(message, cause);
    this.kind = errorKind;
  }

  public ErrorKind kind() {
    return kind;
  }

  public boolean unknown() {
    return kind == ErrorKind.UNKNOWN;
  }

  public boolean unavailable() {
    return kind != ErrorKind.REFUSED;
  }
}
