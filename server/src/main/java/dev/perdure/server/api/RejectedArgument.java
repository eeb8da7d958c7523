// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

/**
 * An argument that the engine rejected.
 *
 * @param field the engine's name of the argument; empty when its message names none
 */
record RejectedArgument(String field, String message) {

  private static final String END_OF_FIELD = ": ";

  /** Splits the engine's message, which begins with the name of the argument. */
  static RejectedArgument of(IllegalArgumentException thrown) {
    String text = String.valueOf(thrown.getMessage());
    int end = text.indexOf(END_OF_FIELD);
    return end < 0
        ? new RejectedArgument("", text)
        : new RejectedArgument(text.substring(0, end), text.substring(end + END_OF_FIELD.length()));
  }
}
