// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What an operator did, to be written down.
 *
 * @param action a word: {@code cancel}
 * @param subject the id of what it was done to; null when it was no single thing
 * @param detail what else there is to know; null for nothing
 */
public record Deed(String action, @Nullable String subject, @Nullable JsonNode detail) {

  /** Done to one thing, and there is no more to say. */
  public static Deed of(String action, String subject) {
    return new Deed(action, subject, null);
  }
}
