// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.access;

/**
 * API keys, audit entries and secrets: what a server stores besides tasks. The engine does not use
 * it. Thread-safe, and safe to use from several processes. Each method returns when its change is
 * durable, or throws {@link dev.perdure.engine.spi.StoreException}.
 */
public interface AccessStore {

  ApiKeyStore apiKeys();

  AuditStore audit();

  SecretStore secrets();
}
