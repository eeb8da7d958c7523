// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.store.testkit.TaskStoreContract;

/** The contract, on PostgreSQL. */
final class PostgresOneShardContractTest extends TaskStoreContract {

  PostgresOneShardContractTest() {
    super(PostgresFixture::new, 1);
  }
}
