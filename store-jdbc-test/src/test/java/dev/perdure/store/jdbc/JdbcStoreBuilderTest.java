// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sqlite.SQLiteDataSource;

/** Settings that would have no effect are refused. */
class JdbcStoreBuilderTest {

  @ParameterizedTest
  @ValueSource(strings = {"sqlite:", "postgres://nobody@127.0.0.1:1/"})
  void a_url_needs_no_data_source_for_notifications(String url, @TempDir Path folder) {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                JdbcStore.builder()
                    .url(url + folder.resolve("perdure.db"))
                    .notificationDataSource(new SQLiteDataSource())
                    .open())
        .withMessage(
            "notificationDataSource: remove it; a store with a url opens its own connection for"
                + " notifications");
  }

  @Test
  void sqlite_has_no_notifications(@TempDir Path folder) {
    SQLiteDataSource sqlite = new SQLiteDataSource();
    sqlite.setUrl("jdbc:sqlite:" + folder.resolve("perdure.db"));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> JdbcStore.builder().dataSource(sqlite).notificationDataSource(sqlite).open())
        .withMessage("notificationDataSource: remove it; SQLite has no notifications");
  }
}
