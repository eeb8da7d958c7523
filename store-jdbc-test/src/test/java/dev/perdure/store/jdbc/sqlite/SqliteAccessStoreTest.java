// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.store.jdbc.JdbcStore;
import dev.perdure.store.jdbc.sql.AccessStoreContract;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.io.TempDir;

final class SqliteAccessStoreTest extends AccessStoreContract {

  @TempDir private Path folder;

  @Override
  protected JdbcStore open(InstantSource clock) {
    return JdbcStore.builder().url("sqlite:" + folder.resolve("perdure.db")).clock(clock).open();
  }
}
