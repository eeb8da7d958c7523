// SPDX-License-Identifier: Apache-2.0
package dev.perdure.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.cli.CliContext;
import dev.perdure.cli.Perdure;
import dev.perdure.server.TestServer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the commands of the guide to limits. */
class LimitsGuideCommandsTest {

  private static final String CALL = "./perdure ";

  @TempDir private Path folder;

  @Test
  void every_command_succeeds() {
    List<String> calls =
        Repository.read("docs/guides/limits.md")
            .lines()
            .filter(line -> line.startsWith(CALL))
            .toList();
    assertThat(calls).hasSize(4);
    try (TestServer server = TestServer.in(folder)) {
      for (String call : calls) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
        CliContext context =
            new CliContext(
                new ByteArrayInputStream(new byte[0]),
                stream,
                stream,
                Map.of("PERDURE_URL", server.url().toString()),
                OptionalInt::empty,
                () -> false,
                Instant.now());
        int code = Perdure.run(context, call.substring(CALL.length()).split(" ", -1));
        assertThat(code).as(call + "\n" + out.toString(StandardCharsets.UTF_8)).isZero();
      }
    }
  }
}
