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
import tools.jackson.databind.JsonNode;

class MigrateCommandTest {

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource(TestDatabase.class)
  void creates_the_tables_once_and_says_whether_it_did(TestDatabase database) {
    String url = database.url(folder);

    CliResult first = perdure("migrate", "--database-url", url);
    assertThat(first.code()).as(first.err()).isZero();
    assertThat(first.out().replace("\n", " "))
        .matches("Applied \\d+ migrations: the tables in \\Q" + url + "\\E are now up to date\\. ");
    CliResult again = perdure("migrate", "--database-url", url);
    assertThat(again.code()).as(again.err()).isZero();
    assertThat(again.out().replace("\n", " "))
        .isEqualTo("Nothing to do: the tables in " + url + " were already up to date. ");
    JsonNode json = perdure("migrate", "--database-url", url, "--json").json().getFirst();
    assertThat(json.get("migrations_applied").asInt()).isZero();
    assertThat(perdure("key", "list", "--database", url).out()).startsWith("No keys");
  }

  @Test
  void reports_why_the_database_cannot_be_opened() {
    CliResult result = perdure("migrate", "--database-url", "postgres://ann:s3cret@127.0.0.1:1/x");

    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains("database_url", "refused").doesNotContain("s3cret", "\tat ");
  }
}
