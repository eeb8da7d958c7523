// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

/** The call was right, and there is nothing to answer it with. */
final class NotFoundException extends RuntimeException {

  private static final long serialVersionUID = 1;

  NotFoundException(String message) {
    super(message);
  }
}
