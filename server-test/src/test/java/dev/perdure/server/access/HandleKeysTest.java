// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.TestDatabase;
import dev.perdure.store.jdbc.JdbcStore;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class HandleKeysTest {

  private static final UUID TASK = new UUID(1, 2);

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource(TestDatabase.class)
  void nodes_accept_each_others_handles(TestDatabase database) {
    String url = database.url(folder);
    try (JdbcStore first = JdbcStore.open(url);
        JdbcStore second = JdbcStore.open(url)) {
      HandleTokens one = HandleKeys.load(first.access().secrets(), new SplittableRandom(1));
      HandleTokens other = HandleKeys.load(second.access().secrets(), new SplittableRandom(2));

      assertThat(other.verify(TASK, one.issue(TASK, 7))).hasValue(7);
      assertThat(one.verify(TASK, other.issue(TASK, 8))).hasValue(8);
    }
  }
}
