// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.store.StoreException;
import dev.perdure.server.http.Deed;
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
final class Deeds {

  private static final int MOST_CHARACTERS = 250;

  private Deeds() {}

  /** Does it and writes it down; also when nobody knows whether it was done. */
  static <T extends @Nullable Object> T carryOut(Request request, Deed deed, Supplier<T> act) {
    T done;
    try {
      done = act.get();
    } catch (StoreException trouble) {
      if (trouble.unknown()) {
        request.did(deed.inDoubt());
      }
      throw trouble;
    }
    request.did(deed);
    return done;
  }

  /** Shows what it was done to; of what cannot be read now, the id. */
  static Response shown(UUID id, Supplier<JsonNode> reading) {
    try {
      return Response.ok(reading.get());
    } catch (StoreException unreadable) {
      return Response.ok(known(id));
    }
  }

  /** A text as the audit keeps it: not longer than somebody reads. */
  static String brief(String text) {
    if (text.length() <= MOST_CHARACTERS) {
      return text;
    }
    boolean splits = Character.isHighSurrogate(text.charAt(MOST_CHARACTERS - 1));
    return text.substring(0, splits ? MOST_CHARACTERS - 1 : MOST_CHARACTERS) + "…";
  }

  static ObjectNode known(UUID id) {
    return JsonNodeFactory.instance.objectNode().put("id", id.toString());
  }
}
