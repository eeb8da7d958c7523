// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What an operator did.
 *
 * @param number grows with each entry
 * @param who the name of the key, or {@code anyone}
 * @param key the id of the key; null when the server had no keys
 * @param action such as {@code cancel}
 * @param subject the id of the task, delivery or key; null for actions on many tasks
 * @param detail more about the action, such as the filter of a bulk action
 */
public record AuditInfo(
    long number,
    Instant at,
    String who,
    @Nullable String key,
    String action,
    @Nullable String subject,
    @Nullable JsonNode detail) {

  /** Reads the server's JSON. */
  public static AuditInfo of(JsonNode json) {
    JsonFields entry = new JsonFields(json);
    return new AuditInfo(
        entry.required("number", entry::number),
        entry.required("at", entry::instant),
        entry.required("who", entry::text),
        entry.text("key"),
        entry.required("action", entry::text),
        entry.text("subject"),
        entry.node("detail"));
  }
}
