// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.store.jdbc.access.Access;
import dev.perdure.store.jdbc.access.AuditTrail;
import dev.perdure.store.jdbc.access.KeyBook;
import dev.perdure.store.jdbc.access.SecretBook;

/** Keys, secrets and deeds, on the callers' connections: the engine's are not theirs to take. */
record PostgresAccess(Session session) implements Access {

  @Override
  public KeyBook keys() {
    return new PostgresKeys(session);
  }

  @Override
  public AuditTrail audit() {
    return new PostgresAudit(session);
  }

  @Override
  public SecretBook secrets() {
    return new PostgresSecrets(session);
  }
}
