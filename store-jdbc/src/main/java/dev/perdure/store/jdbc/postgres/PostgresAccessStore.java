// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.store.jdbc.access.AccessStore;
import dev.perdure.store.jdbc.access.ApiKeyStore;
import dev.perdure.store.jdbc.access.AuditStore;
import dev.perdure.store.jdbc.access.SecretStore;

/** Keys, secrets and deeds, on the callers' connections: the engine's are not theirs to take. */
record PostgresAccessStore(PostgresExecutor executor) implements AccessStore {

  @Override
  public ApiKeyStore apiKeys() {
    return new PostgresApiKeyStore(executor);
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
