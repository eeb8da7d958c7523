// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * One action of an operator, for the audit log.
 *
 * @param action what was done, such as {@code cancel}
 * @param subject the id of the task, key or delivery; null if it was not a single one
 * @param detail more about the action; null for nothing
 */
public record AuditEntry(String action, @Nullable String subject, @Nullable JsonNode detail) {

  /** Marks the entry: the store's answer was lost, so the action may or may not be done. */
  public AuditEntry withUnknownOutcome() {
    ObjectNode more = JsonNodeFactory.instance.objectNode();
    if (detail instanceof ObjectNode known) {
      more.setAll(known);
    }
    return new AuditEntry(action, subject, more.put("outcome_unknown", true));
  }

  /** An entry without a detail. */
  public static AuditEntry of(String action, String subject) {
    return new AuditEntry(action, subject, null);
  }
}
