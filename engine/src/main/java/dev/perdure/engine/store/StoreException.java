// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.store;

import org.jspecify.annotations.Nullable;

/**
 * The store could not do it, although it tried again where that could help.
 *
 * <p>When {@link #unknown()}, the answer to a commit was lost: it may have been done.
 */
public final class StoreException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final boolean unknown;

  public StoreException(String message, @Nullable Throwable cause, boolean unknown) {
    super(message, cause);
    this.unknown = unknown;
  }

  public boolean unknown() {
    return unknown;
  }
}
