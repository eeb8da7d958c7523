// SPDX-License-Identifier: Apache-2.0
package dev.perdure.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.cli.CliContext;
import dev.perdure.cli.Perdure;
import dev.perdure.server.TestServer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs the commands of the guides to limits and schedules, one after the other. */
class GuideCommandsTest {

  private static final String CALL = "./perdure ";

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({"limits, 4", "schedules, 9"})
  void every_command_succeeds(String guide, int commands) throws IOException {
    Path task = Files.writeString(folder.resolve("task.json"), "{\"kind\": \"import\"}");
    List<String> calls =
        Repository.read("docs/guides/%s.md".formatted(guide))
            .lines()
            .filter(line -> line.startsWith(CALL))
            .map(line -> line.substring(CALL.length()).replace("task.json", task.toString()))
            .toList();
    assertThat(calls).hasSize(commands);
    try (TestServer server = TestServer.in(folder)) {
      for (String call : calls) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int code = Perdure.run(context(server, out), call.split(" ", -1));
        assertThat(code).as(call + "\n" + out.toString(StandardCharsets.UTF_8)).isZero();
      }
    }
  }

  private static CliContext context(TestServer server, ByteArrayOutputStream out) {
    PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
    return new CliContext(
        new ByteArrayInputStream(new byte[0]),
        stream,
        stream,
        Map.of("PERDURE_URL", server.url().toString()),
        OptionalInt::empty,
        () -> false,
        Instant.now());
  }
}
