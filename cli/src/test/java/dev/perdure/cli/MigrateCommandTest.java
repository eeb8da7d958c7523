// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import static dev.perdure.cli.TestCli.perdure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.cli.TestCli.CliResult;
import dev.perdure.server.TestDatabase;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MigrateCommandTest {

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource(TestDatabase.class)
  void creates_the_tables_and_can_be_repeated(TestDatabase database) {
    String url = database.url(folder);

    for (int i = 0; i < 2; i++) {
      CliResult result = perdure("migrate", "--database-url", url);
      assertThat(result.code()).as(result.err()).isZero();
      assertThat(result.out().replace("\n", " "))
          .isEqualTo("The tables in " + url + " are up to date. ");
    }
    assertThat(perdure("key", "list", "--database", url).out()).startsWith("No keys");
  }

  @Test
  void reports_why_the_database_cannot_be_opened() {
    CliResult result = perdure("migrate", "--database-url", "postgres://ann:s3cret@127.0.0.1:1/x");

    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains("database_url", "refused").doesNotContain("s3cret", "\tat ");
  }
}
