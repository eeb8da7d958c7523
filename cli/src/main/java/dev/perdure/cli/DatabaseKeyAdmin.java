// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.server.SystemSources;
import dev.perdure.server.access.ApiKeys;
import dev.perdure.server.access.BufferedAuditLog;
import dev.perdure.server.access.IssuedApiKey;
import dev.perdure.server.api.AccessJson;
import dev.perdure.server.http.AuditEntry;
import dev.perdure.server.http.Caller;
import dev.perdure.server.http.Role;
import dev.perdure.store.jdbc.JdbcStore;
import dev.perdure.store.jdbc.access.ApiKeyStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Keys in the database itself: for the first one, and when the last was lost. */
final class DatabaseKeyAdmin implements KeyAdmin {

  private static final Caller OPERATOR = new Caller("command line", null, Set.of(Role.ADMIN));

  private final JdbcStore store;
  private final ApiKeys apiKeys;
  private final BufferedAuditLog bufferedAuditLog;

  /**
   * @param auditEntries how many deeds are kept
   */
  DatabaseKeyAdmin(JdbcStore store, int auditEntries) {
    this.store = store;
    RandomGenerator random = SystemSources.random();
    this.apiKeys = new ApiKeys(store.access().apiKeys(), random);
    this.bufferedAuditLog =
        new BufferedAuditLog(
            store.access().audit(), auditEntries, SystemSources.monotonic(), random);
  }

  @Override
  public JsonNode create(String name, List<String> roles, @Nullable Duration validity) {
    IssuedApiKey made = apiKeys.create(name, roles, validity);
    record("key create", made.key());
    return AccessJson.of(made.key()).put("key", made.secret());
  }

  @Override
  public JsonNode list() {
    ArrayNode list = JsonNodeFactory.instance.arrayNode();
    apiKeys.list().forEach(apiKey -> list.add(AccessJson.of(apiKey)));
    return list;
  }

  @Override
  public Optional<JsonNode> revoke(String id) {
    if (!apiKeys.revoke(id)) {
      return Optional.empty();
    }
    ApiKeyStore.ApiKey apiKey = store.access().apiKeys().find(id).orElseThrow();
    record("key revoke", apiKey);
    return Optional.of(AccessJson.of(apiKey));
  }

  private void record(String action, ApiKeyStore.ApiKey apiKey) {
    bufferedAuditLog.record(
        OPERATOR, new AuditEntry(action, apiKey.id(), AccessJson.summary(apiKey)));
  }

  @Override
  public void close() {
    try {
      bufferedAuditLog.close();
    } finally {
      store.close();
    }
  }
}
