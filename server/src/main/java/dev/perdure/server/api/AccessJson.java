// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.server.http.InstantText;
import dev.perdure.store.jdbc.access.ApiKeyStore;
import dev.perdure.store.jdbc.access.AuditStore;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Writes keys, never their hashes, and what operators did. */
public final class AccessJson {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private AccessJson() {}

  public static ObjectNode of(ApiKeyStore.ApiKey apiKey) {
    ObjectNode json = NODES.objectNode().put("id", apiKey.id());
    json.setAll(summary(apiKey));
    return json.put("live", apiKey.active())
        .put("created_at", InstantText.of(apiKey.createdAt()))
        .put("expires_at", InstantText.of(apiKey.expiresAt()))
        .put("last_used_at", InstantText.of(apiKey.usedAt()))
        .put("revoked_at", InstantText.of(apiKey.revokedAt()));
  }

  /** What the key is for. */
  public static ObjectNode summary(ApiKeyStore.ApiKey apiKey) {
    ObjectNode json = NODES.objectNode().put("name", apiKey.name());
    apiKey.roles().forEach(json.putArray("roles")::add);
    return json;
  }

  static ObjectNode of(AuditStore.StoredAuditEntry storedAuditEntry) {
    AuditStore.NewAuditEntry newAuditEntry = storedAuditEntry.entry();
    ObjectNode json =
        NODES
            .objectNode()
            .put("number", storedAuditEntry.number())
            .put("at", InstantText.of(storedAuditEntry.occurredAt()))
            .put("who", newAuditEntry.who())
            .put("key", newAuditEntry.key())
            .put("action", newAuditEntry.action())
            .put("subject", newAuditEntry.subject());
    json.set("detail", TaskJson.parseStored(newAuditEntry.detail()));
    return json;
  }
}
