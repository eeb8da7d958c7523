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
 * Runs operator actions and records them in the audit log as soon as they are done. A failure to
 * read the changed task afterwards is not reported as an error: the caller would repeat an action
 * that has already happened.
 */
final class AuditedCommands {

  private static final int MAX_LENGTH = 250;

  private AuditedCommands() {}

  /** Runs the action and records it, also when the store's answer was lost. */
  static <T extends @Nullable Object> T runAndRecord(
      Request request, AuditEntry entry, Supplier<T> action) {
    T result;
    try {
      result = action.get();
    } catch (StoreException e) {
      if (e.unknown()) {
        request.audit(entry.withUnknownOutcome());
      }
      throw e;
    }
    request.audit(entry);
    return result;
  }

  /** Responds with the changed task or delivery, or only its id when it cannot be read now. */
  static Response respondWith(UUID id, Supplier<JsonNode> reader) {
    try {
      return Response.ok(reader.get());
    } catch (StoreException e) {
      return Response.ok(idOnly(id));
    }
  }

  /** Cuts a text to the length that audit entries keep. */
  static String truncate(String text) {
    if (text.length() <= MAX_LENGTH) {
      return text;
    }
    boolean splitsPair = Character.isHighSurrogate(text.charAt(MAX_LENGTH - 1));
    return text.substring(0, splitsPair ? MAX_LENGTH - 1 : MAX_LENGTH) + "…";
  }

  static ObjectNode idOnly(UUID id) {
    return JsonNodeFactory.instance.objectNode().put("id", id.toString());
  }
}
