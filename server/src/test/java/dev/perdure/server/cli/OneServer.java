// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.TestServer;
import dev.perdure.server.cli.TestShell.Answer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A server for each test, and commands that ask it. */
abstract class OneServer {

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

  TestShell shell() {
    return new TestShell().environment("PERDURE_URL", server.url().toString());
  }

  Answer run(String... args) {
    return shell().run(args);
  }

  static void assertRefused(Answer answer, int code, String... parts) {
    assertThat(answer.code()).as(answer.err()).isEqualTo(code);
    assertThat(answer.out()).isEmpty();
    assertThat(answer.err()).contains(parts).doesNotContain("\tat ", "Exception");
    assertThat(answer.err().lines()).allMatch(line -> line.startsWith("perdure: "));
  }
}
