// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli;

import dev.perdure.server.Surroundings;
import dev.perdure.server.access.Auditor;
import dev.perdure.server.access.HandedOut;
import dev.perdure.server.access.Keys;
import dev.perdure.server.api.AccessJson;
import dev.perdure.server.http.Caller;
import dev.perdure.server.http.Deed;
import dev.perdure.server.http.Role;
import dev.perdure.store.jdbc.JdbcStore;
import dev.perdure.store.jdbc.access.KeyBook;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Keys in the database itself: for the first one, and when the last was lost. */
final class StoreKeys implements KeyDesk {

  private static final Caller OPERATOR = new Caller("command line", null, Set.of(Role.ADMIN));

  private final JdbcStore store;
  private final Keys keys;
  private final Auditor auditor;

  /**
   * @param auditEntries how many deeds are kept
   */
  StoreKeys(JdbcStore store, int auditEntries) {
    this.store = store;
    Surroundings world = Surroundings.system();
    this.keys = new Keys(store.access().keys(), world.random());
    this.auditor =
        new Auditor(store.access().audit(), auditEntries, world.monotonic(), world.random());
  }

  @Override
  public JsonNode create(String name, List<String> roles, @Nullable Duration validity) {
    HandedOut made = keys.create(name, roles, validity);
    record("key create", made.key());
    return AccessJson.of(made.key()).put("key", made.text());
  }

  @Override
  public JsonNode list() {
    ArrayNode list = JsonNodeFactory.instance.arrayNode();
    keys.list().forEach(key -> list.add(AccessJson.of(key)));
    return list;
  }

  @Override
  public Optional<JsonNode> revoke(String id) {
    if (!keys.revoke(id)) {
      return Optional.empty();
    }
    KeyBook.Key key = store.access().keys().find(id).orElseThrow();
    record("key revoke", key);
    return Optional.of(AccessJson.of(key));
  }

  private void record(String action, KeyBook.Key key) {
    auditor.record(OPERATOR, new Deed(action, key.id(), AccessJson.summary(key)));
  }

  @Override
  public void close() {
    try {
      auditor.close();
    } finally {
      store.close();
    }
  }
}
