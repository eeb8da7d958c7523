// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.store.testkit.TaskStoreContract;

final class SqliteEightShardsContractTest extends TaskStoreContract {

  SqliteEightShardsContractTest() {
    super(SqliteFixture::new, 8);
  }
}
