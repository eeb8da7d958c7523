// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import java.io.IOException;
import java.util.Locale;

/** What was printed did not arrive. */
final class OutputFailedException extends RuntimeException {

  private static final long serialVersionUID = 1;

  OutputFailedException(IOException cause) {
    super(cause);
  }

  /**
   * Whether the reader took what it wanted and left, as {@code head} does. Nothing but the text of
   * the exception tells that from a full disk.
   */
  boolean isBrokenPipe() {
    return String.valueOf(getCause()).toLowerCase(Locale.ROOT).contains("broken pipe");
  }
}
