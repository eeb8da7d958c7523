// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

/** Too much is under way at once. Nothing was done; in a moment it may be. */
public final class BusyException extends RuntimeException {

  private static final long serialVersionUID = 1;

  BusyException(String what) {
    super(what);
  }
}
