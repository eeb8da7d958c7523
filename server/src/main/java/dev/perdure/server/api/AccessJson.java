// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.policy.InstantText;
import dev.perdure.store.jdbc.access.ApiKeyStore;
import dev.perdure.store.jdbc.access.AuditStore;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Writes API keys (never their hashes) and audit entries as JSON. */
public final class AccessJson {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private AccessJson() {}

  public static ObjectNode of(ApiKeyStore.ApiKey key) {
    ObjectNode json = NODES.objectNode().put("id", key.id());
    json.setAll(summary(key));
    return json.put("live", key.active())
        .put("created_at", InstantText.of(key.createdAt()))
        .put("expires_at", InstantText.of(key.expiresAt()))
        .put("last_used_at", InstantText.of(key.usedAt()))
        .put("revoked_at", InstantText.of(key.revokedAt()));
  }

  /** The key's name and roles, for the audit log. */
  public static ObjectNode summary(ApiKeyStore.ApiKey key) {
    ObjectNode json = NODES.objectNode().put("name", key.name());
    key.roles().forEach(json.putArray("roles")::add);
    return json;
  }

  static ObjectNode of(AuditStore.StoredAuditEntry stored) {
    AuditStore.NewAuditEntry entry = stored.entry();
    ObjectNode json =
        NODES
            .objectNode()
            .put("number", stored.number())
            .put("at", InstantText.of(stored.occurredAt()))
            .put("who", entry.who())
            .put("key", entry.key())
            .put("action", entry.action())
            .put("subject", entry.subject());
    json.set("detail", TaskJson.parseStored(entry.detail()));
    return json;
  }
}
