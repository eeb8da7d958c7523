// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.access;

/**
 * Who may do what, and who did what. The engine knows nothing of it. Safe to use from many threads
 * and processes; every method has done what it says when it returns, or throws {@link
 * dev.perdure.engine.task.StoreException}.
 */
public interface AccessStore {

  ApiKeyStore apiKeys();

  SessionStore sessions();

  AuditStore audit();

  SecretStore secrets();
}
