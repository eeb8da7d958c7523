// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.task.StoreException;
import dev.perdure.server.http.AuditEntry;
import dev.perdure.server.http.Request;
import dev.perdure.server.http.Response;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Does what operators ask for. It is written down as soon as it is done, and what cannot be read
 * afterwards does not make it look undone: who is told to come again would do it twice.
 */
final class AuditedActions {

  private static final int MAX_LENGTH = 250;

  private AuditedActions() {}

  /** Does it and writes it down; also when nobody knows whether it was done. */
  static <T extends @Nullable Object> T runAndRecord(
      Request request, AuditEntry entry, Supplier<T> act) {
    T done;
    try {
      done = act.get();
    } catch (StoreException trouble) {
      if (trouble.unknown()) {
        request.audit(entry.withUnknownOutcome());
      }
      throw trouble;
    }
    request.audit(entry);
    return done;
  }

  /** Shows what it was done to; of what cannot be read now, the id. */
  static Response respondWith(UUID id, Supplier<JsonNode> reading) {
    try {
      return Response.ok(reading.get());
    } catch (StoreException unreadable) {
      return Response.ok(idOnly(id));
    }
  }

  /** A text as the audit keeps it: not longer than somebody reads. */
  static String truncate(String text) {
    if (text.length() <= MAX_LENGTH) {
      return text;
    }
    boolean splits = Character.isHighSurrogate(text.charAt(MAX_LENGTH - 1));
    return text.substring(0, splits ? MAX_LENGTH - 1 : MAX_LENGTH) + "…";
  }

  static ObjectNode idOnly(UUID id) {
    return JsonNodeFactory.instance.objectNode().put("id", id.toString());
  }
}
