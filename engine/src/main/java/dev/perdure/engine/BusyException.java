// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

/** Too many operations are running. Nothing was done; try again in a moment. */
public final class BusyException extends RuntimeException {

  private static final long serialVersionUID = 1;

  BusyException(String message) {
    super(message);
  }
}
