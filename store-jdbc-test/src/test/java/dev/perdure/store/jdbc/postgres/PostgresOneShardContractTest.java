// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.store.testkit.TaskStoreContract;

/** The store contract on PostgreSQL with one shard. */
final class PostgresOneShardContractTest extends TaskStoreContract {

  PostgresOneShardContractTest() {
    super(PostgresFixture::new, 1);
  }
}
