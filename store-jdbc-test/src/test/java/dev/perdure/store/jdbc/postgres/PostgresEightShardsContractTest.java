// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.store.testkit.TaskStoreContract;
import org.junit.jupiter.api.Tag;

/** The store contract on PostgreSQL with eight shards. */
@Tag("slow")
final class PostgresEightShardsContractTest extends TaskStoreContract {

  PostgresEightShardsContractTest() {
    super(PostgresFixture::new, 8);
  }
}
