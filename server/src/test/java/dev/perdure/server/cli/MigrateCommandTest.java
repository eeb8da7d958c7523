// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli;

import static dev.perdure.server.cli.TestShell.perdure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.Databases;
import dev.perdure.server.cli.TestShell.Answer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MigrateCommandTest {

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource(Databases.class)
  void makes_the_tables_once_and_again(Databases database) {
    String url = database.url(folder);

    for (int i = 0; i < 2; i++) {
      Answer answer = perdure("migrate", "--database-url", url);
      assertThat(answer.code()).as(answer.err()).isZero();
      assertThat(answer.out().replace("\n", " "))
          .isEqualTo("The tables in " + url + " are up to date. ");
    }
    assertThat(perdure("key", "list", "--database", url).out()).startsWith("No keys");
  }

  @Test
  void tells_what_is_not_to_be_had() {
    Answer answer = perdure("migrate", "--database-url", "postgres://ann:s3cret@127.0.0.1:1/x");

    assertThat(answer.code()).isEqualTo(2);
    assertThat(answer.err()).contains("database_url", "refused").doesNotContain("s3cret", "\tat ");
  }
}
