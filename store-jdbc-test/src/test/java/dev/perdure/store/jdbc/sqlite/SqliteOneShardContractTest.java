// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.store.testkit.TaskStoreContract;

final class SqliteOneShardContractTest extends TaskStoreContract {

  SqliteOneShardContractTest() {
    super(SqliteFixture::new, 1);
  }
}
