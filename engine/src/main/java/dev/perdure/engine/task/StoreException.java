// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import org.jspecify.annotations.Nullable;

/**
 * The store failed, although it retried where that could help.
 *
 * <p>{@link #unknown()} means that the answer to a commit was lost, so the write may have happened.
 * {@link #unavailable()} means that the store cannot be reached or is too busy, so a later try may
 * succeed. Otherwise the store refuses what it was given and will always do so.
 */
public final class StoreException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final ErrorKind kind;

  /** The kind of failure. */
  public enum ErrorKind {
    /** Nothing was done: the store cannot be reached or is too busy. */
    UNAVAILABLE,
    /** It may have been done: the answer was lost. */
    UNKNOWN,
    /** Nothing was done, and a retry does not help: the store refuses it. */
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
