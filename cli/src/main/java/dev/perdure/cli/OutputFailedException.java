// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import java.io.IOException;
import java.util.Locale;

/** Writing to standard output failed. */
final class OutputFailedException extends RuntimeException {

  private static final long serialVersionUID = 1;

  OutputFailedException(IOException cause) {
    super(cause);
  }

  /**
   * Whether the reader closed the pipe, as {@code head} does. Only the text of the exception tells
   * this from a full disk.
   */
  boolean isBrokenPipe() {
    return String.valueOf(getCause()).toLowerCase(Locale.ROOT).contains("broken pipe");
  }
}
