// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.task.StoreException;
import java.nio.file.Path;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class SqliteDiskFullTest {

  private static final int PAGES = 100;

  @TempDir Path folder;
  private SqliteStore store;

  @BeforeEach
  void open() {
    SqliteFile file = SqliteFile.of(folder.resolve("tasks.db"));
    store = SqliteStore.open(file.withMaxPages(PAGES), SqliteTestTasks.settings());
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void a_write_that_does_not_fit_is_rolled_back_and_the_store_stays_usable() {
    Submission before = SqliteTestTasks.one();
    store.submit(before);
    assertThatThrownBy(() -> store.submit(tooMuch()))
        .isInstanceOfSatisfying(StoreException.class, full -> assertThat(full.unknown()).isFalse())
        .hasMessageContaining("SQLITE_FULL");
    assertThat(store.reader().count(TaskFilter.all(), 1_000_000)).isEqualTo(1);
    Submission after = SqliteTestTasks.one();
    store.submit(after);
    assertThat(store.reader().find(SqliteTestTasks.first(after))).isPresent();
    assertThat(store.claim(SqliteTestTasks.upTo(10)).leases()).hasSize(2);
  }

  @Test
  void a_write_that_does_not_fit_does_not_affect_the_rest_of_its_group() throws Exception {
    Submission first = SqliteTestTasks.one();
    Submission last = SqliteTestTasks.one();
    Future<?> early;
    Future<?> full;
    Future<?> late;
    try (BlockedWriter blocked = new BlockedWriter(store)) {
      early = blocked.start(() -> store.submit(first));
      full = blocked.start(() -> store.submit(tooMuch()));
      late = blocked.start(() -> store.submit(last));
    }
    early.get();
    assertThatThrownBy(full::get).cause().isInstanceOf(StoreException.class);
    late.get();
    assertThat(store.reader().find(SqliteTestTasks.first(first))).isPresent();
    assertThat(store.reader().find(SqliteTestTasks.first(last))).isPresent();
    assertThat(store.reader().count(TaskFilter.all(), 1_000_000)).isEqualTo(2);
  }

  private static Submission tooMuch() {
    return SqliteTestTasks.many(PAGES, "\"" + "x".repeat(8_000) + "\"");
  }
}
