// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

/** The thing that the user asked for does not exist. */
final class NotFoundException extends RuntimeException {

  private static final long serialVersionUID = 1;

  NotFoundException(String message) {
    super(message);
  }
}
