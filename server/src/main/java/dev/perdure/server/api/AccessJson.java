// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.server.http.InstantText;
import dev.perdure.store.jdbc.access.AuditTrail;
import dev.perdure.store.jdbc.access.KeyBook;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Writes keys, never their hashes, and what operators did. */
public final class AccessJson {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private AccessJson() {}

  public static ObjectNode of(KeyBook.Key key) {
    ObjectNode json = NODES.objectNode().put("id", key.id());
    json.setAll(summary(key));
    return json.put("live", key.live())
        .put("created_at", InstantText.of(key.createdAt()))
        .put("expires_at", InstantText.of(key.expiresAt()))
        .put("last_used_at", InstantText.of(key.usedAt()))
        .put("revoked_at", InstantText.of(key.revokedAt()));
  }

  /** What the key is for. */
  public static ObjectNode summary(KeyBook.Key key) {
    ObjectNode json = NODES.objectNode().put("name", key.name());
    key.roles().forEach(json.putArray("roles")::add);
    return json;
  }

  static ObjectNode of(AuditTrail.Entry entry) {
    AuditTrail.Deed deed = entry.deed();
    ObjectNode json =
        NODES
            .objectNode()
            .put("number", entry.number())
            .put("at", InstantText.of(entry.at()))
            .put("who", deed.who())
            .put("key", deed.key())
            .put("action", deed.action())
            .put("subject", deed.subject());
    json.set("detail", TaskJson.kept(deed.detail()));
    return json;
  }
}
