// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.server.SystemClockAndRandom;
import dev.perdure.server.access.ApiKeyAdmin;
import dev.perdure.server.access.IssuedApiKey;
import dev.perdure.server.api.AccessJson;
import dev.perdure.store.jdbc.JdbcStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Manages API keys directly in the database. */
final class DatabaseKeyAdmin implements KeyAdmin {

  private final JdbcStore store;
  private final ApiKeyAdmin keys;

  /**
   * @param maxAuditEntries the number of audit entries to keep
   */
  DatabaseKeyAdmin(JdbcStore store, int maxAuditEntries) {
    this.store = store;
    this.keys =
        new ApiKeyAdmin(
            store.access(),
            maxAuditEntries,
            SystemClockAndRandom.monotonic(),
            SystemClockAndRandom.random());
  }

  @Override
  public JsonNode create(String name, List<String> roles, @Nullable Duration validity) {
    IssuedApiKey issued = keys.create(name, roles, validity);
    return AccessJson.of(issued.key()).put("key", issued.secret());
  }

  @Override
  public JsonNode list() {
    ArrayNode list = JsonNodeFactory.instance.arrayNode();
    keys.list().forEach(key -> list.add(AccessJson.of(key)));
    return list;
  }

  @Override
  public Optional<JsonNode> revoke(String id) {
    return keys.revoke(id).map(AccessJson::of);
  }

  @Override
  public void close() {
    try {
      keys.close();
    } finally {
      store.close();
    }
  }
}
