// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.store.testkit.TaskStoreContract;

/** The contract, on PostgreSQL. */
final class PostgresStoreTest extends TaskStoreContract {

  PostgresStoreTest() {
    super(PostgresFixture::new, 1);
  }
}
