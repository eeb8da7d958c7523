// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.store.jdbc.access.AccessStore;
import dev.perdure.store.jdbc.access.ApiKeyStore;
import dev.perdure.store.jdbc.access.AuditStore;
import dev.perdure.store.jdbc.access.SecretStore;
import dev.perdure.store.jdbc.access.SessionStore;

/**
 * API keys, sessions, audit entries and secrets. Uses the connections of callers, not those of the
 * engine.
 */
record PostgresAccessStore(PostgresExecutor executor) implements AccessStore {

  @Override
  public ApiKeyStore apiKeys() {
    return new PostgresApiKeyStore(executor);
  }

  @Override
  public SessionStore sessions() {
    return new PostgresSessionStore(executor);
  }

  @Override
  public AuditStore audit() {
    return new PostgresAuditStore(executor);
  }

  @Override
  public SecretStore secrets() {
    return new PostgresSecretStore(executor);
  }
}
