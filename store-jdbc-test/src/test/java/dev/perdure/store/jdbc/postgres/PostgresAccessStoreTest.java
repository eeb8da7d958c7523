// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.store.jdbc.JdbcStore;
import dev.perdure.store.jdbc.sql.AccessStoreContract;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterEach;

final class PostgresAccessStoreTest extends AccessStoreContract {

  private final TestPostgres database = new TestPostgres();

  @Override
  protected JdbcStore open(InstantSource clock) {
    return JdbcStore.builder().url(database.url()).clock(clock).open();
  }

  @AfterEach
  void drop() {
    database.close();
  }
}
