// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.cli.TestCli.CliResult;
import dev.perdure.server.TestServer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A server for each test, and commands that call it. */
abstract class ServerCommandFixture {

  @TempDir Path folder;
  TestServer server;

  @BeforeEach
  void start() {
    server = TestServer.in(folder);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  TestCli shell() {
    return new TestCli().environment("PERDURE_URL", server.url().toString());
  }

  CliResult run(String... args) {
    return shell().run(args);
  }

  static void assertRefused(CliResult result, int code, String... parts) {
    assertThat(result.code()).as(result.err()).isEqualTo(code);
    assertThat(result.out()).isEmpty();
    assertThat(result.err()).contains(parts).doesNotContain("\tat ", "Exception");
    assertThat(result.err().lines()).allMatch(line -> line.startsWith("perdure: "));
  }
}
