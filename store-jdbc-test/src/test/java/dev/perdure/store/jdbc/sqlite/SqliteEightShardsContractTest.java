// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.store.testkit.TaskStoreContract;
import org.junit.jupiter.api.Tag;

@Tag("slow")
final class SqliteEightShardsContractTest extends TaskStoreContract {

  SqliteEightShardsContractTest() {
    super(SqliteFixture::new, 8);
  }
}
