// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import static dev.perdure.cli.TestCli.perdure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.cli.TestCli.CliResult;
import dev.perdure.server.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class WarmUpCommandTest {

  private static List<Path> temporaryFolders() throws IOException {
    try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("perdure-warm-up"))
          .toList();
    }
  }

  @Test
  void starts_a_server_and_leaves_nothing_behind() throws Exception {
    List<Path> before = temporaryFolders();

    CliResult result = perdure("warm-up");

    assertThat(result.code()).isZero();
    assertThat(result.out()).contains("up to 4 retries");
    // Another process may be warming up.
    Eventually.await(WarmUpCommandTest::temporaryFolders, before::containsAll);
  }

  @Test
  void is_hidden_from_help() {
    assertThat(perdure("--help").out()).doesNotContain("warm-up");
  }
}
