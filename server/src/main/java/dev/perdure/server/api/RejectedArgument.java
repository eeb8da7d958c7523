// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

/**
 * What the engine does not take.
 *
 * @param field the engine's own name of it; empty when it names none
 */
record RejectedArgument(String field, String message) {

  private static final String END_OF_FIELD = ": ";

  /** The engine's messages begin with the field. */
  static RejectedArgument of(IllegalArgumentException thrown) {
    String text = String.valueOf(thrown.getMessage());
    int end = text.indexOf(END_OF_FIELD);
    return end < 0
        ? new RejectedArgument("", text)
        : new RejectedArgument(text.substring(0, end), text.substring(end + END_OF_FIELD.length()));
  }
}
