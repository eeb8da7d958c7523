// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.Databases;
import dev.perdure.server.webhook.handle.Handles;
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
  @EnumSource(Databases.class)
  void every_node_takes_the_handles_of_every_other(Databases database) {
    String url = database.url(folder);
    try (JdbcStore first = JdbcStore.open(url);
        JdbcStore second = JdbcStore.open(url)) {
      Handles one = HandleKeys.load(first.access().secrets(), new SplittableRandom(1));
      Handles other = HandleKeys.load(second.access().secrets(), new SplittableRandom(2));

      assertThat(other.epoch(TASK, one.token(TASK, 7))).hasValue(7);
      assertThat(one.epoch(TASK, other.token(TASK, 8))).hasValue(8);
    }
  }
}
