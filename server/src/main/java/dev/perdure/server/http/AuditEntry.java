// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What an operator did, to be written down.
 *
 * @param action a word: {@code cancel}
 * @param subject the id of what it was done to; null when it was no single thing
 * @param detail what else there is to know; null for nothing
 */
public record AuditEntry(String action, @Nullable String subject, @Nullable JsonNode detail) {

  /** The same, of which nobody knows whether it was done: the store's answer was lost. */
  public AuditEntry withUnknownOutcome() {
    ObjectNode more = JsonNodeFactory.instance.objectNode();
    if (detail instanceof ObjectNode known) {
      more.setAll(known);
    }
    return new AuditEntry(action, subject, more.put("outcome_unknown", true));
  }

  /** Done to one thing, and there is no more to say. */
  public static AuditEntry of(String action, String subject) {
    return new AuditEntry(action, subject, null);
  }
}
