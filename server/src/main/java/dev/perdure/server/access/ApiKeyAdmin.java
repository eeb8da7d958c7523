// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.access;

import dev.perdure.server.http.AuditEntry;
import dev.perdure.server.http.Caller;
import dev.perdure.server.http.Role;
import dev.perdure.store.jdbc.access.AccessStore;
import dev.perdure.store.jdbc.access.ApiKeyStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Manages API keys in the database without a server: for the first key, and when the last admin key
 * is lost. Every change is recorded in the audit log.
 */
public final class ApiKeyAdmin implements AutoCloseable {

  private static final Caller COMMAND_LINE = new Caller("command line", null, Set.of(Role.ADMIN));

  private final ApiKeyStore store;
  private final ApiKeys apiKeys;
  private final BufferedAuditLog auditLog;

  /**
   * @param maxAuditEntries the number of audit entries to keep
   * @param clock a monotonic clock
   * @param random a cryptographically strong source
   */
  public ApiKeyAdmin(
      AccessStore store, int maxAuditEntries, Supplier<Duration> clock, RandomGenerator random) {
    this.store = store.apiKeys();
    this.apiKeys = new ApiKeys(store.apiKeys(), random);
    this.auditLog = new BufferedAuditLog(store.audit(), maxAuditEntries, clock, random);
  }

  /**
   * Creates a key.
   *
   * @param validity how long the key is valid; null: it never expires
   * @throws dev.perdure.policy.InvalidPolicyException with every invalid field
   */
  public IssuedApiKey create(String name, List<String> roles, @Nullable Duration validity) {
    IssuedApiKey issued = apiKeys.create(name, roles, validity);
    record("key create", issued.key());
    return issued;
  }

  /** All keys, newest first, revoked ones included. */
  public List<ApiKeyStore.ApiKey> list() {
    return apiKeys.list();
  }

  /** Revokes a key; empty when there is no such key. */
  public Optional<ApiKeyStore.ApiKey> revoke(String id) {
    if (!apiKeys.revoke(id)) {
      return Optional.empty();
    }
    Optional<ApiKeyStore.ApiKey> revoked = store.find(id);
    revoked.ifPresent(key -> record("key revoke", key));
    return revoked;
  }

  private void record(String action, ApiKeyStore.ApiKey key) {
    ObjectNode detail = JsonNodeFactory.instance.objectNode().put("name", key.name());
    key.roles().forEach(detail.putArray("roles")::add);
    auditLog.record(COMMAND_LINE, new AuditEntry(action, key.id(), detail));
  }

  /** Writes the audit entries that are still buffered. */
  @Override
  public void close() {
    auditLog.close();
  }
}
